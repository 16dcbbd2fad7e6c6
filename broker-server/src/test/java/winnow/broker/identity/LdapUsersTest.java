package winnow.broker.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.broker.BrokerConfig;
import winnow.broker.TestCertificates;

class LdapUsersTest {
    private final Path directory;
    private final TestDirectory server;
    private final Map<String, String> settings;

    LdapUsersTest(@TempDir Path directory) throws Exception {
        this.directory = directory;
        server = new TestDirectory(null);
        settings = new HashMap<>(server.settings(directory));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private LdapUsers users() {
        return new LdapUsers(BrokerConfig.of(settings).security().ldap());
    }

    private void refused(String user, String password, String why) {
        assertThatThrownBy(() -> users().check(user, password))
                .isInstanceOf(RefusedIdentity.class)
                .hasMessageContaining(why);
    }

    @Test
    void shouldCheckPasswordsAndFindGroups() throws Exception {
        ProvenUser ann = users().check("ann", "ann");

        assertThat(ann.name()).isEqualTo("ann");
        assertThat(ann.groups()).containsExactly("ldap:" + TestDirectory.DESK);
        assertThat(ann.proof()).isEqualTo(ProvenUser.Proof.DIRECTORY);
        assertThat(users().check("bob", "bob").groups()).isEmpty();
    }

    /// The directory does not tell capitals from small letters.
    @Test
    void shouldNameAUserAsTheDirectoryDoes() throws Exception {
        assertThat(users().check(" ANN ", "ann").name()).isEqualTo("ann");

        settings.put("security.ldap.user-name", "mail");
        refused("ann", "ann", "expected one value of 'mail' in the entry of the user");
    }

    @ParameterizedTest
    @CsvSource({
        "ann, wrong",
        "ann, ''",
        "eve, eve",
        "'', ''",
        "*, ann",
        "ann)(cn=*, ann",
        "ann)(|(uid=*, ann",
        "${dn}, ann"
    })
    void shouldRefuseAllElseByTheSameWords(String user, String password) {
        refused(user, password, "user or password is wrong");
    }

    @Test
    void shouldRefuseSeveralEntries() throws Exception {
        server.add("ann2", "ann");
        settings.put("security.ldap.user-filter", "(cn=${user})");

        refused("ann", "ann", "expected one entry of the user (security.ldap.user-filter)");
    }

    @Test
    void shouldSayThatTheDirectoryDoesNotAnswer() {
        settings.put("security.ldap.timeout", "100ms");
        server.delay(2_000);
        refused("ann", "ann", "the directory could not be asked about the user");

        server.close();
        refused("ann", "ann", "the directory could not be asked about the user");
    }

    @Test
    void shouldSayThatTheBrokerItselfMayNotSearch() throws Exception {
        Path password = Path.of(String.valueOf(settings.get("security.ldap.bind-password-file")));
        Files.writeString(password, "wrong\n");
        refused("ann", "ann", "the directory could not be asked about the user");

        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> users().requireFiles())
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("security.ldap.bind-password-file: " + password);
    }

    @Test
    void shouldDemandACertificateThatIsTrusted() throws Exception {
        Path store =
                TestCertificates.pkcs12(directory.resolve("d.p12"), "directory", "dns:localhost");
        KeyStore own = KeyStore.getInstance("PKCS12");
        char[] password = TestCertificates.PASSWORD.toCharArray();
        try (InputStream in = Files.newInputStream(store)) {
            own.load(in, password);
        }
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, password);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        try (TestDirectory secure = new TestDirectory(tls.getServerSocketFactory())) {
            settings.putAll(secure.settings(directory));
            refused("ann", "ann", "the directory could not be asked about the user");

            settings.put(
                    "security.ldap.certificates",
                    TestCertificates.pem(store).toString());
            assertThat(users().check("ann", "ann").name()).isEqualTo("ann");

            settings.computeIfPresent(
                    "security.ldap.url", (_, url) -> url.replace("localhost", "127.0.0.1"));
            refused("ann", "ann", "the directory could not be asked about the user");
        }
    }
}
