package winnow.broker.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class FaultBarrierTest {
    private final LongAdder faults = new LongAdder();
    private final FaultBarrier barrier = new FaultBarrier(faults);

    @Test
    void shouldTellTheOwnerAndGoOn() {
        // given
        List<Throwable> told = new ArrayList<>();
        IllegalStateException fault = new IllegalStateException("made for this test");

        // when
        barrier.run(
                told::add,
                () -> {
                    throw fault;
                });

        // then
        assertThat(told).containsExactly(fault);
        assertThat(faults.sum()).isEqualTo(1);
    }

    @Test
    void shouldGoOnWhenTheOwnerCannotBeClosed() {
        barrier.run(
                _ -> {
                    throw new IllegalStateException("second, made for this test");
                },
                () -> {
                    throw new AssertionError("first, made for this test");
                });

        assertThat(faults.sum()).isEqualTo(2);
    }

    @Test
    void shouldContainAStackThatOverflows() {
        barrier.run(FaultBarrierTest::forEver);

        assertThat(faults.sum()).isEqualTo(1);
    }

    @SuppressWarnings("InfiniteRecursion")
    private static void forEver() {
        forEver();
    }
}
