/// Identities of users whom another system knows: bearer tokens that an issuer has signed, TLS
/// certificates, and passwords that a directory checks.
///
/// Reading order: [ProvenUser] (who somebody is, and for how long) with [UserNames], [TokenConfig]
/// (settings), [Tokens] (checks a token), [TokenVerifier] (signature and claims) with [ClaimPath],
/// [TokenKeys] (the issuer's keys, and when they are read) with [IssuerKeys] and [KeySource], which
/// is a [KeyFile] or a [KeyServer]; [CertificateConfig], [CertificateUsers] (tells whose a
/// certificate is) with [CertificateRule]; [LdapConfig] with [LdapUrl], [LdapUsers] (asks a
/// directory) with [LdapServers] (connects to it), [LdapSockets] and [LdapSession] (questions over
/// a connection).
///
/// Nothing here blocks but [KeySource#read] and [LdapUsers#check], which run on threads of their
/// own.
@NullMarked
package winnow.broker.identity;

import org.jspecify.annotations.NullMarked;
