/// Identities of users whom another system knows: bearer tokens that an issuer has signed, and
/// TLS certificates.
///
/// Reading order: [ProvenUser] (who somebody is, and for how long) with [UserNames], [TokenConfig]
/// (settings), [Tokens] (checks a token), [TokenVerifier] (signature and claims) with [ClaimPath],
/// [TokenKeys] (the issuer's keys, and when they are read) with [IssuerKeys] and [KeySource], which
/// is a [KeyFile] or a [KeyServer]; [CertificateConfig], [CertificateUsers] (tells whose a
/// certificate is) with [CertificateRule].
///
/// Nothing here blocks but [KeySource#read], which runs on a thread of its own.
@NullMarked
package winnow.broker.identity;

import org.jspecify.annotations.NullMarked;
