package winnow.broker.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.BrokerConfig;
import winnow.broker.TestCertificates;

class LdapUsersTest {
    private static final String AWAY = "the directory could not be asked about the user";

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

    private LdapUsers users() throws IOException {
        return new LdapUsers(BrokerConfig.of(settings).security().ldap(), () -> 0);
    }

    private static ProvenUser check(LdapUsers users, String user, String password)
            throws RefusedIdentity {
        return users.check(user, password, _ -> true);
    }

    private void refused(String user, String password, String why) {
        assertThatThrownBy(() -> check(users(), user, password))
                .isInstanceOf(RefusedIdentity.class)
                .isNotInstanceOf(AbsentDirectory.class)
                .hasMessageContaining(why);
    }

    private void away(String user) {
        assertThatThrownBy(() -> check(users(), user, user))
                .isInstanceOf(AbsentDirectory.class)
                .hasMessageContaining(AWAY);
    }

    @Test
    void shouldCheckPasswordsAndFindGroups() throws Exception {
        ProvenUser ann = check(users(), "ann", "ann");

        assertThat(ann.name()).isEqualTo("ann");
        assertThat(ann.groups()).containsExactly("ldap:" + TestDirectory.DESK);
        assertThat(ann.proof()).isEqualTo(ProvenUser.Proof.DIRECTORY);
        assertThat(check(users(), "bob", "bob").groups()).isEmpty();
    }

    @Test
    void shouldFindGroupsInTheEntryOfTheUser() throws Exception {
        settings.put("security.ldap.group-attribute", "memberOf");

        assertThat(check(users(), "ann", "ann").groups())
                .containsExactlyInAnyOrder(
                        "ldap:" + TestDirectory.DESK, "ldap:cn=staff,ou=groups,dc=acme");
    }

    @Test
    void shouldEndALoginAfterAWhile() throws Exception {
        long hours = Duration.ofHours(12).toMillis();
        assertThat(check(users(), "ann", "ann").endMillis()).isBetween(hours - hours / 10, hours);

        settings.put("security.ldap.login-lifetime", "0s");
        assertThat(check(users(), "ann", "ann").endMillis()).isEqualTo(Long.MAX_VALUE);
    }

    /// A user of a directory with one place for users needs no user of the broker's own.
    @Test
    void shouldBindByAPatternAndFindGroupsAsTheUser() throws Exception {
        settings.remove("security.ldap.bind-dn");
        settings.remove("security.ldap.bind-password-file");
        settings.remove("security.ldap.users");
        settings.put("security.ldap.user-dn", "uid=${user},ou=people,dc=acme");

        assertThat(check(users(), "ANN", "ann").name()).isEqualTo("ann");
        assertThat(check(users(), "ann", "ann").groups())
                .containsExactly("ldap:" + TestDirectory.DESK);
        refused("ann", "wrong", "user or password is wrong");
        refused("ann,ou=people", "ann", "user or password is wrong");
        refused("ann+cn=ann", "ann", "user or password is wrong");
        refused("eve", "eve", "user or password is wrong");
    }

    /// The directory does not tell capitals from small letters.
    @Test
    void shouldNameAUserAsTheDirectoryDoes() throws Exception {
        assertThat(check(users(), " ANN ", "ann").name()).isEqualTo("ann");

        settings.put("security.ldap.user-name", "mail");
        refused("ann", "ann", "expected one value of 'mail' in the entry of the user");
    }

    @ParameterizedTest
    @CsvSource({
        "ann, wrong",
        "ann, ''",
        "eve, eve",
        "'', ''",
        "'', ann",
        "*, ann",
        "a*, ann",
        "*)(uid=*, ann",
        "ann)(cn=*, ann",
        "ann)(|(uid=*, ann",
        "ann\\, ann",
        "${dn}, ann"
    })
    void shouldRefuseAllElseByTheSameWords(String user, String password) {
        refused(user, password, "user or password is wrong");
    }

    @Test
    void shouldRefuseANameThatIsTooLong() {
        refused("a".repeat(300), "a", "user or password is wrong");
    }

    private void refusedAtTheGate(String user) {
        List<String> entries = new ArrayList<>();
        assertThatThrownBy(() -> users().check(user, "ann", entry -> !entries.add(entry)))
                .hasMessage("user or password is wrong")
                .isInstanceOfSatisfying(
                        RefusedIdentity.class,
                        refusal ->
                                assertThat(refusal.reason())
                                        .contains("entry 'uid=ann,ou=people,dc=acme': not tried"));
        assertThat(entries).containsExactly("uid=ann,ou=people,dc=acme");
    }

    /// Guesses are counted by the entry, too, because two names may be of one user.
    @Test
    void shouldNotTryAPasswordThatIsNotLetThrough() {
        refusedAtTheGate("ann");
        settings.put("security.ldap.user-filter", "(|(uid=${user})(cn=${user}))");
        refusedAtTheGate("ANN");

        settings.remove("security.ldap.users");
        settings.put("security.ldap.user-dn", "uid=${user},ou=people,dc=acme");
        refusedAtTheGate("ann");
    }

    @Test
    void shouldSayInTheLogThatThereIsNoEntry() {
        assertThatThrownBy(() -> check(users(), "eve", "eve"))
                .isInstanceOfSatisfying(
                        RefusedIdentity.class,
                        refusal ->
                                assertThat(refusal.reason())
                                        .endsWith("user-filter finds no entry of that name"));
    }

    @Test
    void shouldRefuseSeveralEntries() throws Exception {
        server.add("ann2", "ann");
        settings.put("security.ldap.user-filter", "(cn=${user})");

        assertThatThrownBy(() -> check(users(), "ann", "ann"))
                .hasMessage("user or password is wrong")
                .isInstanceOfSatisfying(
                        RefusedIdentity.class,
                        refusal ->
                                assertThat(refusal.reason())
                                        .contains("user-filter finds several entries of that"));
    }

    @Test
    void shouldFindUsersWhoseNamesHaveSpecialCharacters() throws Exception {
        server.add("x", "a(n)*n\\");
        settings.put("security.ldap.user-filter", "(cn=${user})");

        assertThat(check(users(), "a(n)*n\\", "a(n)*n\\").name()).isEqualTo("x");
    }

    @Test
    void shouldSayThatTheDirectoryDoesNotAnswer() {
        settings.put("security.ldap.timeout", "100ms");
        server.delay(2_000);
        away("ann");

        server.close();
        away("ann");
    }

    /// A directory that takes connections and says nothing, also in the middle of TLS.
    @ParameterizedTest
    @ValueSource(strings = {"ldap", "ldaps", "start-tls"})
    @Timeout(20)
    void shouldNotWaitForASilentServer(String way) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String scheme = way.equals("ldaps") ? "ldaps" : "ldap";
            settings.put("security.ldap.url", scheme + "://127.0.0.1:" + silent.getLocalPort());
            settings.put("security.ldap.start-tls", String.valueOf(way.equals("start-tls")));
            settings.put("security.ldap.timeout", "100ms");

            away("ann");
        }
    }

    /// A directory that sends a byte now and then: answers to bind, to StartTLS and of TLS.
    @ParameterizedTest
    @CsvSource({
        "ldap, 30840000ffff02010161840000fff00a010004840000ffe0",
        "ldaps, 1603033fff020000",
        "start-tls, 30840000ffff02010178840000fff00a010004840000ffe0",
        "start-tls, 300c02010178070a010004000400/1603033fff020000"
    })
    @Timeout(20)
    void shouldNotWaitForASlowServer(String way, String begin) throws Exception {
        try (ServerSocket slow = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> trickle(slow, begin));
            String scheme = way.equals("ldaps") ? "ldaps" : "ldap";
            settings.put("security.ldap.url", scheme + "://127.0.0.1:" + slow.getLocalPort());
            settings.put("security.ldap.start-tls", String.valueOf(way.equals("start-tls")));
            settings.put("security.ldap.timeout", "300ms");

            away("ann");
        }
    }

    /// @param begin answers to the first requests, the last of which goes on
    private static void trickle(ServerSocket server, String begin) {
        try (Socket socket = server.accept()) {
            byte[] request = new byte[8192];
            for (String answer : begin.split("/", -1)) {
                assertThat(socket.getInputStream().read(request)).isPositive();
                socket.getOutputStream().write(HexFormat.of().parseHex(answer));
            }
            for (int i = 0; i < 1_500; i++) {
                socket.getOutputStream().write(0);
                Thread.sleep(20);
            }
        } catch (IOException | InterruptedException _) {
            // The client has gone.
        }
    }

    /// A server that takes connections and says nothing costs one login its timeout, and no more.
    @Test
    @Timeout(60)
    void shouldAskAnotherServerInPlaceOfASilentOne() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            settings.computeIfPresent(
                    "security.ldap.url",
                    (_, url) -> "ldap://127.0.0.1:" + silent.getLocalPort() + "," + url);
            settings.put("security.ldap.timeout", "5s");
            LdapUsers users = users();
            assertThat(check(users, "ann", "ann").name()).isEqualTo("ann");

            long began = System.nanoTime();
            assertThat(check(users, "ann", "ann").name()).isEqualTo("ann");
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isLessThan(Duration.ofSeconds(4));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAskAnotherServerInPlaceOfOneWithAForeignCertificate(boolean startTls)
            throws Exception {
        Path foreign =
                TestCertificates.pkcs12(directory.resolve("f.p12"), "foreign", "dns:localhost");
        Path own = TestCertificates.pkcs12(directory.resolve("d.p12"), "own", "dns:localhost");
        try (TestDirectory first = new TestDirectory(identity(foreign));
                TestDirectory second = new TestDirectory(identity(own))) {
            settings.put(
                    "security.ldap.url",
                    startTls
                            ? first.clearUrl("localhost") + "," + second.clearUrl("localhost")
                            : first.tlsUrl("localhost") + "," + second.tlsUrl("localhost"));
            settings.put("security.ldap.start-tls", String.valueOf(startTls));
            settings.put("security.ldap.certificates", TestCertificates.pem(own).toString());

            assertThat(check(users(), "ann", "ann").name()).isEqualTo("ann");
        }
    }

    @Test
    void shouldAskAnotherServer() throws Exception {
        settings.computeIfPresent("security.ldap.url", (_, url) -> "ldap://127.0.0.1:1, " + url);

        assertThat(check(users(), "ann", "ann").name()).isEqualTo("ann");
    }

    @Test
    void shouldSayThatTheBrokerItselfMayNotSearch() throws Exception {
        Path password = Path.of(String.valueOf(settings.get("security.ldap.bind-password-file")));
        Files.writeString(password, "wrong\n");
        away("ann");

        Files.writeString(password, "\n");
        assertThatThrownBy(this::users)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected a password in the first line, found none");

        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(this::users)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("security.ldap.bind-password-file: " + password);
    }

    @Test
    void shouldTakeANewPasswordOfItsOwnAtAReload() throws Exception {
        Path password = Path.of(String.valueOf(settings.get("security.ldap.bind-password-file")));
        Files.writeString(password, "wrong\n");
        LdapUsers users = users();
        assertThatThrownBy(() -> check(users, "ann", "ann")).isInstanceOf(AbsentDirectory.class);

        Files.writeString(password, "broker secret\n");
        users.prepareReload().run();

        assertThat(check(users, "ann", "ann").name()).isEqualTo("ann");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDemandACertificateThatIsTrusted(boolean startTls) throws Exception {
        Path store =
                TestCertificates.pkcs12(directory.resolve("d.p12"), "directory", "dns:localhost");
        try (TestDirectory secure = new TestDirectory(identity(store))) {
            settings.put(
                    "security.ldap.url",
                    startTls ? secure.clearUrl("localhost") : secure.tlsUrl("localhost"));
            settings.put("security.ldap.start-tls", String.valueOf(startTls));
            away("ann");

            settings.put("security.ldap.certificates", TestCertificates.pem(store).toString());
            assertThat(check(users(), "ann", "ann").name()).isEqualTo("ann");

            settings.computeIfPresent(
                    "security.ldap.url", (_, url) -> url.replace("localhost", "127.0.0.1"));
            away("ann");
        }
    }

    private static SSLContext identity(Path store) throws Exception {
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
        return tls;
    }
}
