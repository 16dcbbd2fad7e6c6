/// TLS of the ports: certificates and their files, the pace of handshakes.
@NullMarked
package winnow.broker.transport.tls;

import org.jspecify.annotations.NullMarked;
