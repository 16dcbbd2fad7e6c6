package winnow.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.BrokerConfig;
import winnow.broker.identity.LdapUsers;
import winnow.broker.identity.ProvenUser;
import winnow.broker.identity.RefusedIdentity;
import winnow.broker.metrics.WaitTimes;
import winnow.wire.ErrorCode;

class DirectoryChecksTest {
    private static final Set<String> DESK = Set.of("ldap:cn=desk");

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();

    /// A permit for each question that may end, in the order in which they came.
    private final Semaphore answers = new Semaphore(1_000, true);

    private final BlockingQueue<LoginResult> results = new LinkedBlockingQueue<>();
    private final GuessLimit guesses = new GuessLimit(nanos::get);
    private final DirectoryChecks checks =
            new DirectoryChecks(
                    this::ask,
                    BrokerConfig.of(
                                    Map.of(
                                            "security.ldap.connections", "2",
                                            "security.ldap.remember", "60s"))
                            .security()
                            .ldap(),
                    guesses,
                    nanos::get,
                    new WaitTimes());

    /// The password of everybody is its name, and so is the entry, up to the sign `@`.
    private ProvenUser ask(String user, String password, LdapUsers.EntryGate gate)
            throws RefusedIdentity {
        boolean let = gate.lets("uid=" + user.replaceFirst("@.*", ""));
        asked.incrementAndGet();
        answers.acquireUninterruptibly();
        if (!let || !user.equals(password)) {
            throw new WrongPassword();
        }
        return new ProvenUser(user, DESK, ProvenUser.Proof.DIRECTORY, Long.MAX_VALUE);
    }

    private static final class WrongPassword extends RefusedIdentity {
        private static final long serialVersionUID = 1L;

        WrongPassword() {
            super("wrong");
        }
    }

    @AfterEach
    void stop() {
        answers.release(1_000);
        checks.close();
    }

    private Runnable check(String user, String password, String address) {
        return checks.check(user, password, address, results::add);
    }

    private LoginResult next() throws InterruptedException {
        LoginResult result = results.poll(20, TimeUnit.SECONDS);
        return result == null ? LoginResult.refused("no result in time") : result;
    }

    private String user() throws InterruptedException {
        return next().user().name();
    }

    @Test
    void shouldRememberForAWhileWhatWasRight() throws Exception {
        check("ann", "ann", "here");
        assertThat(next().user().groups()).isEqualTo(DESK);
        check("ann", "ann", "there");
        assertThat(next().user().groups()).isEqualTo(DESK);
        assertThat(asked).hasValue(1);

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
        check("ann", "ann", "here");
        assertThat(next().accepted()).isTrue();
        assertThat(asked).hasValue(2);

        checks.forget();
        check("ann", "ann", "here");
        assertThat(next().accepted()).isTrue();
        assertThat(asked).hasValue(3);
    }

    /// A reload may change what the directory says.
    @Test
    void shouldNotRememberWhatWasAskedBeforeAReload() throws Exception {
        answers.drainPermits();
        check("ann", "ann", "here");
        await(1);
        checks.forget();
        answers.release(10);
        assertThat(next().accepted()).isTrue();

        check("ann", "ann", "here");
        assertThat(next().accepted()).isTrue();
        assertThat(asked).hasValue(2);
    }

    @Test
    void shouldNotRememberWhatWasWrong() throws Exception {
        for (int i = 1; i <= 2; i++) {
            long began = System.nanoTime();
            check("ann", "bob", "here");
            assertThat(next().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
            assertThat(System.nanoTime() - began)
                    .isGreaterThanOrEqualTo(DirectoryChecks.REFUSAL_NANOS);
            assertThat(asked).hasValue(i);
        }
    }

    /// However many questions a directory does not answer, those of others wait only for it.
    @Test
    void shouldRefuseWhatIsTooMuch() throws Exception {
        answers.drainPermits();
        check("eve", "eve", "there");
        check("mallory", "mallory", "there");
        await(2);
        for (int i = 0; i < DirectoryChecks.MAX_WAITING + 10; i++) {
            check("user" + i, "user" + i, "there");
        }
        for (int i = 0; i < 10; i++) {
            LoginResult refused = next();
            assertThat(refused.refusal()).startsWith("too many authentications are waiting");
            assertThat(refused.passing()).isTrue();
        }
        check("ann", "ann", "here");
        assertThat(next().refusal()).startsWith("too many authentications are waiting");
        assertThat(asked).hasValue(2);

        answers.release(2);
        assertThat(List.of(user(), user())).containsExactlyInAnyOrder("eve", "mallory");
        await(4);
        answers.release(2);
        assertThat(List.of(user(), user())).contains("ann");
    }

    /// One who has an IPv6 network of 48 bits has as many networks of 64 bits as there are places.
    @Test
    void shouldGiveOneNetworkNoMorePlacesThanOthersNeed() throws Exception {
        answers.drainPermits();
        check("eve", "eve", "2001:db8:1:fffe:0:0:0:1");
        check("mallory", "mallory", "2001:db8:1:ffff:0:0:0:1");
        await(2);
        for (int i = 0; i < DirectoryChecks.MAX_WAITING; i++) {
            String address = "2001:db8:1:" + Integer.toHexString(i) + ":0:0:0:1";
            check("user" + i, "user" + i, address);
        }
        assertThat(results).isEmpty();
        BlockingQueue<LoginResult> found = new LinkedBlockingQueue<>();
        checks.check("ann", "ann", "192.0.2.1", found::add);

        assertThat(found).isEmpty();
        assertThat(next().refusal()).startsWith("too many authentications are waiting");
        answers.release(2);
        await(4);
        answers.release(2);
        assertThat(found.poll(20, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void shouldSlowDownWhoGuesses() throws Exception {
        for (int i = 0; i < GuessLimit.FREE; i++) {
            check(i % 2 == 0 ? "ann" : " ANN", "wrong", "here");
        }
        for (int i = 0; i < GuessLimit.FREE; i++) {
            assertThat(next().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
        }
        int before = asked.get();
        boolean refused = false;
        for (int i = 0; i < 10 && !refused; i++) {
            check("ann", "wrong", "here");
            refused = next().refusal().startsWith("too many wrong passwords for this user");
        }
        assertThat(refused).isTrue();
        assertThat(asked.get() - before).isLessThan(10);

        check("ann", "ann", "there");
        assertThat(next().accepted()).isTrue();
    }

    /// A directory takes other letters for the same, and leaves blanks and accents out of account.
    @Test
    void shouldSlowDownWhoGuessesByOtherSpellings() throws Exception {
        List<String> spellings =
                List.of(
                        "ann b",
                        "ANN  B",
                        "\uff41nn b",
                        "a\u00adnn b",
                        "\u00e1nn b",
                        "a\u200bnn\u00a0b",
                        "\uff21\uff2e\uff2e\u3000\uff22");
        int refused = 0;
        for (int i = 0; i < 3 * spellings.size(); i++) {
            check(spellings.get(i % spellings.size()), "wrong", "here");
            if (next().refusal().startsWith("too many wrong passwords for this user")) {
                refused++;
            }
        }

        assertThat(refused).isPositive();
        assertThat(asked.get()).isLessThan(GuessLimit.FREE + 5);
    }

    private void guess(int count, String user) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            check(user, "wrong" + i, "here");
            assertThat(next().refusal()).isEqualTo("wrong");
        }
    }

    /// A directory finds an entry by a short name and by a mail address, for example.
    @Test
    void shouldCountGuessesOfAnEntryByAllItsNames() throws Exception {
        guess(GuessLimit.FREE / 2, "ann");
        guess(GuessLimit.FREE / 2 + 1, "ann@acme");

        // The same words, and no wait, whether the password is right or the name leads anywhere.
        for (String name : List.of("ann", "ann@acme", "ann@elsewhere")) {
            check(name, name, "here");
            assertThat(next().refusal()).isEqualTo("wrong");
        }
        check("bob", "bob", "here");
        assertThat(next().accepted()).isTrue();
        check("ann@acme", "ann@acme", "there");
        assertThat(next().accepted()).isTrue();

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        check("ann", "ann", "here");
        assertThat(next().accepted()).isTrue();
    }

    @Test
    void shouldCountGuessesOfAnEntryThatComeAtOnce() throws Exception {
        guess(GuessLimit.FREE - 1, "ann");
        answers.drainPermits();
        check("ann@acme", "wrong", "here");
        await(GuessLimit.FREE);
        check("ann@elsewhere", "ann@elsewhere", "here");
        await(GuessLimit.FREE + 1);
        answers.release(10);
        assertThat(List.of(next().accepted(), next().accepted()))
                .containsExactlyInAnyOrder(false, true);
        answers.drainPermits();

        guessAtOnce();
    }

    /// Two questions are asked at a time.
    private void guessAtOnce() throws InterruptedException {
        int before = asked.get();
        check("ann@third", "wrong", "here");
        await(before + 1);
        check("ann@fourth", "ann@fourth", "here");
        await(before + 2);
        answers.release(1_000);
        assertThat(List.of(next().accepted(), next().accepted())).containsOnly(false);
    }

    /// SCRAM counts a name as it is sent, before anybody knows if there is such a user.
    @Test
    void shouldCountNoNameAsAnEntry() throws Exception {
        for (int i = 0; i < 2 * GuessLimit.FREE; i++) {
            guesses.onWrong("here", "entry uid=ann");
            guesses.onWrong("here", "uid=ann");
        }

        check("ann", "ann", "here");
        assertThat(next().accepted()).isTrue();
    }

    /// Guesses by one name wait for their turn, and the right password is tried then.
    @Test
    void shouldTryThePasswordOfANameThatHasWaited() throws Exception {
        guess(GuessLimit.FREE + 1, "ann");

        check("ann", "ann", "here");
        assertThat(next().accepted()).isTrue();
    }

    /// Attempts that come before the first is answered.
    @Test
    void shouldSlowDownWhoGuessesAtOnce() throws Exception {
        answers.drainPermits();
        int refused = 0;
        for (int i = 0; i < 100; i++) {
            check("ann", "wrong" + i, "here");
            LoginResult result = results.poll();
            if (result != null) {
                assertThat(result.refusal()).startsWith("too many wrong passwords for this user");
                refused++;
            }
        }

        assertThat(refused).isGreaterThan(100 - GuessLimit.FREE - 5);
    }

    /// A program that opens many connections at once has the same password for all.
    @Test
    void shouldNotTakeOnePasswordForManyGuesses() throws Exception {
        answers.drainPermits();
        for (int i = 0; i < 100; i++) {
            check("ann", "ann", "here");
        }
        assertThat(results).isEmpty();
        answers.release(1_000);

        for (int i = 0; i < 100; i++) {
            assertThat(next().accepted()).isTrue();
        }
    }

    @Test
    void shouldTellNothingToAClientThatHasGone() throws Exception {
        answers.drainPermits();
        check("eve", "eve", "there");
        check("mallory", "mallory", "there");
        await(2);
        check("ann", "ann", "here").run();
        answers.release(10);

        assertThat(List.of(user(), user())).containsExactlyInAnyOrder("eve", "mallory");
        CountDownLatch idle = new CountDownLatch(1);
        checks.check("bob", "bob", "here", _ -> idle.countDown());
        assertThat(idle.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(results).isEmpty();
    }

    private void await(int questions) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (asked.get() < questions && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(asked).hasValue(questions);
    }
}
