package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.TestUsers;
import winnow.wire.scram.ScramClient;
import winnow.wire.scram.ScramServer;

class AuthenticatorTest {
    private static final Authenticator.Peer HERE = new Authenticator.Peer("127.0.0.1", true);
    private static final Authenticator.Peer AWAY = new Authenticator.Peer("192.0.2.7", false);

    @TempDir private Path directory = Path.of("");
    private final LongAdder failures = new LongAdder();
    private Authenticator authenticator = new Authenticator(null, false, failures);

    @BeforeEach
    void readUsers() throws IOException {
        authenticator = new Authenticator(users("secret"), false, failures);
    }

    @AfterEach
    void stop() {
        authenticator.close();
    }

    private UserFile users(String password) throws IOException {
        Files.deleteIfExists(directory.resolve("users"));
        return UserFile.read(TestUsers.write(directory, UserFile.line("ann", password)));
    }

    private String plain(Authenticator.Peer peer, String password) throws InterruptedException {
        BlockingQueue<String> results = new LinkedBlockingQueue<>();
        authenticator.authenticate(
                new Authenticator.Credentials("PLAIN", "\0ann\0" + password, peer), results::add);
        return String.valueOf(results.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void shouldAuthenticateByScramFromAnywhere() throws Exception {
        // given
        ScramClient client = new ScramClient("ann", "secret");

        // when
        ScramServer exchange = authenticator.scram(client.first(), AWAY);
        String last = authenticator.finish(exchange, client.last(exchange.first()), AWAY);

        // then
        client.verify(last);
        assertThat(exchange.user()).isEqualTo("ann");
        assertThat(failures.sum()).isZero();
    }

    @Test
    void shouldNotTellWhoExists() throws Exception {
        for (String user : new String[] {"ann", "eve"}) {
            ScramClient client = new ScramClient(user, "wrong");
            ScramServer exchange = authenticator.scram(client.first(), AWAY);

            assertThat(exchange.first()).endsWith(",i=120000");
            assertThatThrownBy(() ->
                            authenticator.finish(exchange, client.last(exchange.first()), AWAY))
                    .isInstanceOf(RefusedCredentials.class)
                    .hasMessage("user or password is wrong");
        }
        assertThat(failures.sum()).isEqualTo(2);
    }

    @Test
    void shouldRefuseWhatIsNoScram() {
        assertThatThrownBy(() -> authenticator.scram("ann", AWAY))
                .isInstanceOf(RefusedCredentials.class)
                .hasMessageStartingWith("SCRAM-SHA-256: expected a message that begins with");
        assertThat(failures.sum()).isEqualTo(1);
    }

    @Test
    void shouldTakePlainTextPasswordsOnlyWhereNobodyElseReadsThem() throws Exception {
        assertThat(plain(HERE, "secret")).isEmpty();
        assertThat(plain(AWAY, "secret"))
                .startsWith("PLAIN sends the password in clear text")
                .contains("security.allow-plain-text-passwords=true");
        assertThat(authenticator.takesPlainFrom(AWAY)).isFalse();
        try (Authenticator trusting = new Authenticator(users("secret"), true, failures)) {
            assertThat(trusting.takesPlainFrom(AWAY)).isTrue();
        }
    }

    @Test
    void shouldUseNewUsersFromTheNextLoginOn() throws Exception {
        // given a password that is remembered as right
        assertThat(plain(HERE, "secret")).isEmpty();

        // when
        authenticator.users(users("changed"));

        // then
        assertThat(plain(HERE, "secret")).isEqualTo("user or password is wrong");
        assertThat(plain(HERE, "changed")).isEmpty();
    }

    @Test
    void shouldSayThatThereAreNoUsersToProveAnythingFor() {
        try (Authenticator open = new Authenticator(null, false, failures)) {
            assertThatThrownBy(() -> open.scram("n,,n=ann,r=abc", HERE))
                    .isInstanceOf(RefusedCredentials.class)
                    .hasMessageContaining("connect without user and password");
        }
    }
}
