/// SCRAM-SHA-256 (RFC 5802, RFC 7677): both sides' messages and what a server keeps of a password.
/// Over the JDK's PBKDF2 and HMAC; knows no frames and no sockets.
///
/// Reading order: [ScramKeys] (password to keys), [ScramVerifier] (what a server keeps),
/// [ScramClient] and [ScramServer] (an exchange each), [ScramAttributes] (the messages' syntax).
@NullMarked
package winnow.wire.scram;

import org.jspecify.annotations.NullMarked;
