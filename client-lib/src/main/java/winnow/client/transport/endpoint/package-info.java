/// Place of a broker and the way to reach it: [ConnectionTarget] with its hosts, login, TLS and
/// terms of retry. Values without threads.
@NullMarked
package winnow.client.transport.endpoint;

import org.jspecify.annotations.NullMarked;
