package winnow.broker.identity;

import java.security.cert.X509Certificate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Tells whose a client's certificate is, which TLS has verified. Immutable.
///
/// @param wallMillis tells the time in ms since 1970
public record CertificateUsers(CertificateConfig config, LongSupplier wallMillis) {
    /// Prefix of groups in the file of permissions.
    private static final String GROUP = "certificate:";

    /// The user of a certificate.
    ///
    /// @param certificate null if the client has shown none
    /// @throws RefusedIdentity if it proves no user
    public ProvenUser check(@Nullable X509Certificate certificate) throws RefusedIdentity {
        if (certificate == null) {
            throw new RefusedIdentity(
                    "certificate: expected one of the client's own by TLS (keyStore), found none");
        }
        long endMillis = certificate.getNotAfter().toInstant().toEpochMilli();
        long now = wallMillis.getAsLong();
        if (now >= endMillis || now < certificate.getNotBefore().toInstant().toEpochMilli()) {
            throw new RefusedIdentity(
                    "certificate: expected one that is valid now, found one that is so from %s to"
                                    .formatted(certificate.getNotBefore().toInstant())
                            + " "
                            + certificate.getNotAfter().toInstant());
        }
        List<String> names = config.user().of(certificate);
        if (names.size() != 1) {
            throw new RefusedIdentity(
                    "certificate: expected one name of a user at %s (security.certificates.user),"
                                    .formatted(config.user())
                            + " found "
                            + (names.isEmpty() ? "none" : names.size()));
        }
        String name = names.getFirst();
        UserNames.require(name, config.user().toString(), "certificate");
        Set<String> groups = new LinkedHashSet<>();
        config.groups().of(certificate).forEach(group -> groups.add(GROUP + group));
        return new ProvenUser(name, groups, ProvenUser.Proof.CERTIFICATE, endMillis);
    }
}
