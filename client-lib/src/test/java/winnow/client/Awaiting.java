package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Waits for conditions that nothing signals.
public final class Awaiting {
    private static final long DEADLINE_SECONDS = 30;

    private Awaiting() {}

    /// Returns when the condition holds, fails when it does not in time.
    public static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("nanoseconds to wait").isNegative();
            Thread.onSpinWait();
        }
    }
}
