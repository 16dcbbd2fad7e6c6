/// TLS between real clients and real brokers: certificates of all kinds, right and wrong.
@NullMarked
package winnow.tests.tls;

import org.jspecify.annotations.NullMarked;
