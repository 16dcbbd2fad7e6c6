package winnow.broker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.TestUsers;
import winnow.broker.identity.ProvenUser;
import winnow.broker.metrics.AuthenticationCounters;
import winnow.wire.scram.ScramClient;
import winnow.wire.scram.ScramServer;

class AuthenticatorTest {
    private static final Authenticator.Peer HERE = new Authenticator.Peer("127.0.0.1", true);
    private static final Authenticator.Peer AWAY = new Authenticator.Peer("192.0.2.7", false);

    @TempDir private Path directory = Path.of("");
    private final AuthenticationCounters counters = new AuthenticationCounters();
    private Authenticator authenticator = new Authenticator(null, false, counters);

    @BeforeEach
    void readUsers() throws IOException {
        authenticator = new Authenticator(users("secret"), false, counters);
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
                new Authenticator.Credentials("PLAIN", "\0ann\0" + password, peer),
                result -> results.add(result.refusal()));
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
        assertThat(counters.failures.sum()).isZero();
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
        assertThat(counters.failures.sum()).isEqualTo(2);
    }

    @Test
    void shouldRefuseWhatIsNoScram() {
        assertThatThrownBy(() -> authenticator.scram("ann", AWAY))
                .isInstanceOf(RefusedCredentials.class)
                .hasMessageStartingWith("SCRAM-SHA-256: expected a message that begins with");
        assertThat(counters.failures.sum()).isEqualTo(1);
    }

    @Test
    void shouldTakePlainTextPasswordsOnlyWhereNobodyElseReadsThem() throws Exception {
        assertThat(plain(HERE, "secret")).isEmpty();
        assertThat(plain(AWAY, "secret"))
                .startsWith("PLAIN sends the password in clear text")
                .contains("security.allow-plain-text-passwords=true");
        assertThat(authenticator.takesPlainFrom(AWAY)).isFalse();
        try (Authenticator trusting = new Authenticator(users("secret"), true, counters)) {
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
        try (Authenticator open = new Authenticator(null, false, counters)) {
            assertThatThrownBy(() -> open.scram("n,,n=ann,r=abc", HERE))
                    .isInstanceOf(RefusedCredentials.class)
                    .hasMessageContaining("connect without user and password");
        }
    }

    @Test
    void shouldSlowDownWhoGuesses() throws Exception {
        // given
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
        try (Authenticator slow =
                new Authenticator(
                        users("secret"), ForeignProofs.NONE, false, counters, nanos::get)) {
            Authenticator.Peer guesser = peer("2001:db8:0:1:0:0:0:1");
            int seconds = 60;

            // when somebody guesses as fast as it is let, by many connections
            int guesses = 0;
            for (int step = 0; step < seconds * 100; step++) {
                ScramServer exchange = slow.scram("n,,n=ann,r=abc", guesser);
                if (turn(slow, exchange, guesser) >= 0) {
                    assertThatThrownBy(() -> slow.finish(exchange, proof(exchange), guesser))
                            .hasMessage("user or password is wrong");
                    guesses++;
                }
                nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
            }

            // then
            assertThat(guesses).isBetween(GuessLimit.FREE, GuessLimit.FREE + seconds + 3);
            ScramServer ann = slow.scram("n,,n=ann,r=abc", guesser);
            assertThat(turn(slow, ann, guesser)).isNotZero();
            assertThat(turn(slow, ann, peer("2001:db8:0:1:ffff:0:0:2"))).isNotZero();
            assertThat(turn(slow, ann, peer("2001:db8:0:2:0:0:0:1"))).isZero();
            assertThat(turn(slow, slow.scram("n,,n=bob,r=abc", guesser), guesser)).isZero();

            // when nobody has tried for a while
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(20));

            // then
            assertThat(turn(slow, ann, guesser)).isZero();
        }
    }

    private static Authenticator.Peer peer(String address) {
        return new Authenticator.Peer(address, false);
    }

    /// A wrong one.
    private static String proof(ScramServer exchange) {
        String nonce = exchange.first().replaceFirst("r=([^,]*),.*", "$1");
        return "c=biws,r=" + nonce + ",p=" + Base64.getEncoder().encodeToString(new byte[32]);
    }

    /// How long the attempt has to wait, -1 if it is refused.
    private static long turn(Authenticator one, ScramServer exchange, Authenticator.Peer peer) {
        try {
            return one.takeTurn(exchange, peer);
        } catch (RefusedCredentials e) {
            assertThat(e)
                    .hasMessageStartingWith(
                            "too many wrong passwords for this user from this address; try again");
            return -1;
        }
    }

    /// Names of the user file belong to their passwords, also where a token came first.
    @Test
    void shouldKnowNoOtherProofOfANameInTheUserFile() throws IOException {
        for (ProvenUser.Proof proof :
                List.of(
                        ProvenUser.Proof.TOKEN,
                        ProvenUser.Proof.CERTIFICATE,
                        ProvenUser.Proof.DIRECTORY)) {
            assertThat(authenticator.knows(new ProvenUser("ann", Set.of(), proof, 1))).isFalse();
            assertThat(authenticator.knows(new ProvenUser("bob", Set.of(), proof, 1))).isTrue();
        }
        assertThat(authenticator.knows(ProvenUser.byPassword("ann"))).isTrue();
        assertThat(authenticator.knows(ProvenUser.byPassword("bob"))).isFalse();
        try (Authenticator open = new Authenticator(null, false, counters)) {
            assertThat(open.knows(ProvenUser.nobody())).isTrue();
        }
    }

    private ProvenUser user(String password) throws InterruptedException {
        BlockingQueue<ProvenUser> results = new LinkedBlockingQueue<>();
        authenticator.authenticate(
                new Authenticator.Credentials("PLAIN", "\0ann\0" + password, HERE),
                result -> results.add(result.user()));
        ProvenUser found = results.poll(10, TimeUnit.SECONDS);
        return found == null ? ProvenUser.nobody() : found;
    }

    /// A request may wait while somebody sets another password.
    @Test
    void shouldTellARequestWithAnEarlierPassword() throws Exception {
        ProvenUser before = user("secret");
        assertThat(authenticator.proves(before)).isTrue();

        authenticator.users(users("other"));
        assertThat(authenticator.knows(before)).isTrue();
        assertThat(authenticator.proves(before)).isFalse();
        assertThat(authenticator.proves(user("other"))).isTrue();
        assertThat(authenticator.proves(ProvenUser.byPassword("bob"))).isFalse();
        assertThat(authenticator.proves(ProvenUser.local())).isTrue();
    }
}
