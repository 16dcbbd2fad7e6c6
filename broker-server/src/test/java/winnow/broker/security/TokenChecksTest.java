package winnow.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.ECKey;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.BrokerConfig;
import winnow.broker.identity.TestIssuer;
import winnow.broker.identity.Tokens;
import winnow.broker.metrics.WaitTimes;

class TokenChecksTest {
    /// Long enough for two checks.
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final TestIssuer issuer = new TestIssuer();
    private final ECKey known = TestIssuer.ec("one");
    private final ECKey unknown = TestIssuer.ec("two");
    private final WaitTimes times = new WaitTimes();
    private final TokenChecks checks;
    private final BlockingQueue<LoginResult> results = new LinkedBlockingQueue<>();

    TokenChecksTest() throws Exception {
        issuer.publish(known);
        checks = newChecks();
    }

    private TokenChecks newChecks() throws IOException {
        return new TokenChecks(
                Tokens.open(
                        BrokerConfig.of(issuer.settings()).security().tokens(),
                        System::currentTimeMillis,
                        PAUSE),
                times);
    }

    @AfterEach
    void stop() {
        checks.close();
        issuer.close();
    }

    private Runnable check(ECKey key, String user, String address) throws Exception {
        return checks.check(TestIssuer.token(key, claims(user)), address, results::add);
    }

    private static Map<String, Object> claims(String user) {
        return TestIssuer.claims(user);
    }

    private LoginResult next() throws InterruptedException {
        LoginResult result = results.poll(20, TimeUnit.SECONDS);
        return result == null ? LoginResult.refused("no result in time") : result;
    }

    @Test
    void shouldWaitForTheFirstKeys() throws Exception {
        check(known, "ann", "here");

        LoginResult result = next();
        assertThat(result.refusal()).isEmpty();
        assertThat(result.user().name()).isEqualTo("ann");
    }

    @Test
    void shouldLetNobodyWaitForTheUnknownKeyOfAnother() throws Exception {
        // given keys that are read, and will not be again at once
        check(known, "ann", "here");
        assertThat(next().accepted()).isTrue();

        // when
        check(unknown, "eve", "there");
        check(known, "bob", "here");

        // then
        assertThat(next().user().name()).isEqualTo("bob");
        issuer.publish(known, unknown);
        assertThat(next().user().name()).isEqualTo("eve");
    }

    @Test
    void shouldRefuseAKeyThatStaysUnknown() throws Exception {
        check(unknown, "eve", "there");

        LoginResult result = next();
        assertThat(result.refusal()).contains("found the key id 'two'");
        assertThat(result.passing()).isFalse();
    }

    /// The same token may be right at the next broker, or after a restart.
    @Test
    void shouldNotRefuseForGoodWhileTheBrokerStops() throws Exception {
        checks.close();
        check(known, "ann", "here");

        LoginResult result = next();
        assertThat(result.refusal()).isEqualTo("the broker is stopping");
        assertThat(result.passing()).isTrue();
    }

    @Test
    void shouldSayThatTheKeysCannotBeRead() throws Exception {
        issuer.close();
        try (TokenChecks failing = newChecks()) {
            failing.check(TestIssuer.token(known, claims("ann")), "here", results::add);

            LoginResult result = next();
            assertThat(result.refusal())
                    .isEqualTo(
                            "token: the issuer's keys cannot be read at the moment; the broker's"
                                    + " log says why");
            assertThat(result.passing()).isTrue();
        }
    }

    @Test
    void shouldLetAFloodOfUnknownKeysDisplaceItselfOnly() throws Exception {
        // given
        check(known, "ann", "here");
        assertThat(next().accepted()).isTrue();

        // when
        String token = TestIssuer.token(unknown, claims("eve"));
        for (int i = 0; i < 2 * TokenChecks.MAX_WAITING; i++) {
            checks.check(token, "there", _ -> {});
        }
        check(known, "bob", "here");

        // then
        assertThat(next().user().name()).isEqualTo("bob");
    }

    @Test
    void shouldTellNothingToAClientThatHasGone() throws Exception {
        // given
        check(known, "ann", "here");
        assertThat(next().accepted()).isTrue();

        // when
        check(unknown, "eve", "there").run();
        issuer.publish(known, unknown);
        check(unknown, "bob", "there");

        // then
        assertThat(next().user().name()).isEqualTo("bob");
        assertThat(results).isEmpty();
    }

    /// Tokens that wait for keys and are given up take no memory until these are read.
    @Test
    void shouldForgetTokensThatWereGivenUp() throws Exception {
        // given
        check(known, "ann", "here");
        assertThat(next().accepted()).isTrue();
        List<WeakReference<Consumer<LoginResult>>> gone = new ArrayList<>();

        // when
        for (int i = 0; i < 3; i++) {
            Consumer<LoginResult> listener = result -> results.add(result);
            String token = TestIssuer.token(unknown, claims("eve"));
            Runnable giveUp = checks.check(token, "there", listener);
            gone.add(new WeakReference<>(listener));
            await(() -> checks.parked() == 1);
            giveUp.run();
        }

        // then
        await(() -> {
            System.gc();
            return gone.stream().filter(one -> one.get() == null).count() >= 2;
        });
        assertThat(gone.stream().filter(one -> one.get() == null).count())
                .isGreaterThanOrEqualTo(2);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PAUSE.toNanos() / 2;
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
