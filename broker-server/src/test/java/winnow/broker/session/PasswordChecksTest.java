package winnow.broker.session;

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

    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final AtomicInteger checked = new AtomicInteger();
    private final BlockingQueue<String> results = new LinkedBlockingQueue<>();
    private final PasswordChecks checks = new PasswordChecks(this::matches);

    private boolean matches(String user, String password) {
        checked.incrementAndGet();
        if (user.equals("broken")) {
            throw new IllegalStateException("broken");
        }
        if (user.equals("slow")) {
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
        return checks.check(user, password, address, results::add);
    }

    private String nextResult() throws InterruptedException {
        return String.valueOf(results.poll(10, TimeUnit.SECONDS));
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
        // when
        check("slow", "wrong", "there");
        for (int i = 1; i < 128; i++) {
            check("bob", "wrong" + i, "there");
        }
        assertThat(results).isEmpty();
        check("ann", "right", "there");

        // then
        assertThat(results.poll())
                .isEqualTo("too many authentications from there are waiting, try again");

        // when
        for (int i = 128; i < 256; i++) {
            check("bob", "wrong" + i, "host " + i / 32);
        }
        assertThat(results).isEmpty();
        check("ann", "right", "here");

        // then
        assertThat(results.poll()).isEqualTo("too many authentications are waiting, try again");
    }

    @Test
    void shouldAnswerWhenACheckFails() throws InterruptedException {
        // when
        check("broken", "right", "here");
        check("ann", "right", "here");

        // then
        assertThat(nextResult()).startsWith("the password could not be checked");
        assertThat(nextResult()).isEmpty();
    }
}
