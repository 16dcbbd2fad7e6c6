/// Bearer tokens in the SASL mechanism OAUTHBEARER (RFC 7628): [BearerMessage], the one message of
/// the client. Knows nothing of what a token says.
@NullMarked
package winnow.wire.bearer;

import org.jspecify.annotations.NullMarked;
