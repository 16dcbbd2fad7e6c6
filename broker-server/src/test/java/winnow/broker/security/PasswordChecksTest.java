package winnow.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The password of everybody is "right"; checking one of "slow" waits for the test.
class PasswordChecksTest {
    private static final int MANY = 1_000;

    private final CountDownLatch slowBegan = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final AtomicInteger checked = new AtomicInteger();
    private final BlockingQueue<String> results = new LinkedBlockingQueue<>();

    /// Refusals of credentials that may be right a moment later.
    private final BlockingQueue<String> passing = new LinkedBlockingQueue<>();

    private final PasswordChecks checks = new PasswordChecks(this::matches);

    private boolean matches(String user, String password) {
        checked.incrementAndGet();
        if (user.equals("broken")) {
            throw new IllegalStateException("broken");
        }
        if (user.equals("erroneous")) {
            throw new NoClassDefFoundError("made for this test");
        }
        if (user.equals("slow")) {
            slowBegan.countDown();
            try {
                slowMayEnd.await();
            } catch (InterruptedException _) {
                return false;
            }
        }
        return password.equals("right");
    }

    @AfterEach
    void stop() {
        slowMayEnd.countDown();
        checks.close();
    }

    private Runnable check(String user, String password, String address) {
        return checks.check(user, password, address, this::note);
    }

    private void note(LoginResult result) {
        if (result.passing()) {
            passing.add(result.refusal());
        }
        results.add(result.refusal());
    }

    private String nextResult() throws InterruptedException {
        return String.valueOf(results.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void shouldNotShareACheckThatBeganBeforePasswordsChanged() throws InterruptedException {
        // given
        check("slow", "right", "here");
        assertThat(slowBegan.await(10, TimeUnit.SECONDS)).isTrue();

        // when
        checks.change(() -> {});
        check("slow", "right", "here");
        check("slow", "right", "there");
        slowMayEnd.countDown();

        // then
        assertThat(List.of(nextResult(), nextResult(), nextResult())).containsOnly("");
        assertThat(checked).hasValue(2);
    }

    @Test
    void shouldLetRememberedCredentialsWaitForNothing() throws InterruptedException {
        // given
        check("ann", "right", "here");
        assertThat(nextResult()).isEmpty();

        // when
        check("slow", "wrong", "there");
        check("ann", "right", "here");

        // then
        assertThat(results.poll()).isEmpty();
        assertThat(checked).hasValueLessThanOrEqualTo(2);
    }

    @Test
    void shouldCheckTheSameCredentialsOnce() throws InterruptedException {
        // given
        check("slow", "wrong", "there");

        // when
        for (int i = 0; i < MANY; i++) {
            check("ann", "right", "here");
        }
        slowMayEnd.countDown();

        // then
        assertThat(nextResult()).isEqualTo("user or password is wrong");
        for (int i = 0; i < MANY; i++) {
            assertThat(nextResult()).isEmpty();
        }
        assertThat(checked).hasValue(2);
    }

    @Test
    void shouldNotCheckForThoseWhoHaveGivenUp() throws InterruptedException {
        // given
        check("slow", "wrong", "there");
        List<Runnable> attempts = new ArrayList<>();
        for (int i = 1; i < 128; i++) {
            attempts.add(check("bob", "wrong" + i, "there"));
        }

        // when
        attempts.forEach(Runnable::run);
        check("ann", "right", "there");
        slowMayEnd.countDown();

        // then
        assertThat(nextResult()).isEqualTo("user or password is wrong");
        assertThat(nextResult()).isEmpty();
        assertThat(checked).hasValue(2);
    }

    @Test
    void shouldGiveUpOneOfTwoWithTheSameCredentials() throws InterruptedException {
        // given
        check("slow", "wrong", "there");
        Runnable first = check("ann", "right", "here");
        check("ann", "right", "here");

        // when
        first.run();
        slowMayEnd.countDown();

        // then
        assertThat(nextResult()).isEqualTo("user or password is wrong");
        assertThat(nextResult()).isEmpty();
        assertThat(results).isEmpty();
    }

    @Test
    void shouldLimitTheChecksThatWait() {
        // given
        check("slow", "wrong", "there");
        for (int i = 1; i < 256; i++) {
            check("bob", "wrong" + i, "there");
        }
        assertThat(results).isEmpty();

        // when
        check("bob", "one more", "there");

        // then
        assertThat(results.poll()).isEqualTo("too many authentications are waiting, try again");

        // when others come, they displace the last of bob's
        check("ann", "right", "there");
        check("ann", "wrong", "elsewhere");

        // then
        assertThat(results).hasSize(2).allMatch(refusal -> refusal.startsWith("too many"));
        assertThat(passing).hasSize(3);
    }

    @Test
    void shouldCheckOthersOfAnAddressBeforeTheNextTryOfOne() throws InterruptedException {
        // given somebody who tries one password after the other
        check("slow", "wrong", "there");
        awaitChecked(1);
        for (int i = 1; i < 256; i++) {
            check("bob", "wrong" + i, "there");
        }

        // when
        checks.check("ann", "right", "there", found -> results.add("ann:" + found.refusal()));
        checks.check("eve", "right", "elsewhere", found -> results.add("eve:" + found.refusal()));
        assertThat(results.poll()).startsWith("too many");
        assertThat(results.poll()).startsWith("too many");
        slowMayEnd.countDown();

        // then the one of another address comes first, and both before most of bob's
        assertThat(nextResult()).isEqualTo("user or password is wrong");
        assertThat(nextResult()).isEqualTo("eve:");
        List<String> next = List.of(nextResult(), nextResult());
        assertThat(next).containsExactlyInAnyOrder("ann:", "user or password is wrong");
    }

    private void awaitChecked(int count) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (checked.get() < count && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(checked).hasValue(count);
    }

    @Test
    void shouldSurviveErrors() throws InterruptedException {
        // when a check and somebody who is told fail
        check("erroneous", "right", "here");
        checks.check(
                "erroneous",
                "right",
                "here",
                _ -> {
                    throw new AssertionError("made for this test");
                });
        check("erroneous", "right", "here");
        check("ann", "right", "here");

        // then
        String failed = "the password could not be checked; the broker's log says why";
        assertThat(List.of(nextResult(), nextResult(), nextResult()))
                .containsExactlyInAnyOrder(failed, failed, "");

        // and the next attempt is checked anew
        check("erroneous", "right", "here");
        assertThat(nextResult()).startsWith("the password could not be checked");
    }

    @Test
    void shouldAnswerWhenACheckFails() throws InterruptedException {
        // when
        check("broken", "right", "here");
        check("ann", "right", "here");

        // then
        assertThat(nextResult()).startsWith("the password could not be checked");
        assertThat(nextResult()).isEmpty();
        assertThat(passing).hasSize(1);
    }

    /// A client that is told so tries again, unlike one whose password is wrong.
    @Test
    void shouldTellAWrongPasswordFromABrokerThatStops() throws InterruptedException {
        // given
        check("ann", "wrong", "here");
        assertThat(nextResult()).isEqualTo("user or password is wrong");
        assertThat(passing).isEmpty();

        // when
        checks.close();
        check("ann", "right", "here");

        // then
        assertThat(passing).containsExactly("the broker is stopping");
    }
}
