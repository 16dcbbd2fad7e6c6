package winnow.broker.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.broker.TestCertificates;

class CertificateUsersTest {
    private static X509Certificate certificate;

    @BeforeAll
    static void make(@TempDir Path directory) throws Exception {
        Path file =
                TestCertificates.pkcs12(
                        directory.resolve("client.p12"),
                        "Ann,UID=ann,OU=desk,OU=ops,L=here+L=there,EMAILADDRESS=ann@mail",
                        "dns:a.acme,dns:b.other,email:ann@acme,uri:spiffe://acme/app/till");
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, TestCertificates.PASSWORD.toCharArray());
        }
        certificate = (X509Certificate) store.getCertificate("broker");
    }

    private static CertificateUsers users(String user, String groups, long nowMillis) {
        return new CertificateUsers(
                new CertificateConfig(CertificateRule.parse(user), CertificateRule.parse(groups)),
                () -> nowMillis);
    }

    private static long valid() {
        return certificate.getNotBefore().toInstant().toEpochMilli();
    }

    private static long end() {
        return certificate.getNotAfter().toInstant().toEpochMilli();
    }

    @ParameterizedTest
    @CsvSource({
        "subject.CN, Ann",
        "subject.cn, Ann",
        "subject.UID, ann",
        "subject.emailAddress, ann@mail",
        "dns=*.acme, a",
        "email, ann@acme",
        "email=*@acme, ann",
        "uri, spiffe://acme/app/till",
        "uri=spiffe://acme/app/*, till"
    })
    void shouldFindTheNameOfTheUser(String rule, String name) throws Exception {
        ProvenUser user = users(rule, "", valid()).check(certificate);

        assertThat(user.name()).isEqualTo(name);
        assertThat(user.groups()).isEmpty();
        assertThat(user.hasEnded(end() - 1)).isFalse();
        assertThat(user.hasEnded(end())).isTrue();
        assertThat(CertificateRule.parse(rule)).hasToString(rule);
    }

    @Test
    void shouldFindGroups() throws Exception {
        assertThat(users("subject.CN", "subject.OU", valid()).check(certificate).groups())
                .containsExactlyInAnyOrder("certificate:desk", "certificate:ops");
        assertThat(users("subject.CN", "dns=*.acme", valid()).check(certificate).groups())
                .containsExactly("certificate:a");
    }

    @ParameterizedTest
    @CsvSource({
        "subject.OU, found 2",
        "dns, found 2",
        "subject.L, found 2",
        "subject.ST, found none",
        "email=*@other, found none",
        "uri=spiffe://acme/app/till*, found none"
    })
    void shouldRefuseWhatIsNotOneName(String rule, String why) {
        assertThatThrownBy(() -> users(rule, "", valid()).check(certificate))
                .isInstanceOf(RefusedIdentity.class)
                .hasMessageContaining("expected one name of a user at " + rule)
                .hasMessageContaining(why);
    }

    @Test
    void shouldRefuseACertificateOutsideItsTime() {
        for (long now : new long[] {valid() - 1, end()}) {
            assertThatThrownBy(() -> users("subject.CN", "", now).check(certificate))
                    .isInstanceOf(RefusedIdentity.class)
                    .hasMessageContaining("expected one that is valid now");
        }
    }

    @Test
    void shouldRefuseAClientWithoutCertificate() {
        assertThatThrownBy(() -> users("subject.CN", "", valid()).check(null))
                .isInstanceOf(RefusedIdentity.class)
                .hasMessageContaining("expected one of the client's own by TLS");
    }
}
