/// Proof of who somebody is: users file, certificates, tokens and directories behind
/// [Authenticator], and the limits of guesses.
@NullMarked
package winnow.broker.security;

import org.jspecify.annotations.NullMarked;
