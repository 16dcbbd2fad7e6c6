package winnow.broker.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.WaitingMessages;

class SlicedWorkTest {
    private static final long STEP_NANOS = SlicedWork.SLICE_NANOS / 5;

    private final HeldLoop loop = new HeldLoop();
    private final List<String> steps = new ArrayList<>();
    private final SlicedWork work = new SlicedWork(loop, () -> steps.size() * STEP_NANOS);

    private void add(String name, int count) {
        int[] left = {count};
        work.add(() -> {
            steps.add(name);
            return --left[0] > 0;
        });
    }

    @Test
    void shouldLetTheLoopReadAfterEachSlice() {
        // given
        add("a", 12);

        // when, then
        loop.iterate();
        assertThat(steps).hasSize(5);
        loop.iterate();
        assertThat(steps).hasSize(10);
        loop.iterate();
        assertThat(steps).hasSize(12);
        assertThat(loop.now).isEmpty();
        assertThat(loop.next).isEmpty();
    }

    @Test
    void shouldTakeTurnsSoThatSmallWorkIsDoneBesideLarge() {
        // when
        add("large", 100);
        add("small", 1);
        add("other", 1);
        loop.iterate();

        // then
        assertThat(steps).containsExactly("large", "small", "other", "large", "large");
    }

    @Test
    void shouldGoOnAfterWorkThatFails() {
        // given
        work.add(() -> {
            throw new IllegalStateException("on purpose");
        });
        add("a", 1);

        // when
        loop.iterate();

        // then
        assertThat(steps).containsExactly("a");
        add("b", 1);
        loop.iterate();
        assertThat(steps).containsExactly("a", "b");
    }

    /// Runs what was given to it when it is told to iterate.
    private static final class HeldLoop implements Loop {
        private final FaultBarrier faults = new FaultBarrier(new LongAdder());
        private final ArrayDeque<Runnable> now = new ArrayDeque<>();
        private final ArrayDeque<Runnable> next = new ArrayDeque<>();

        void iterate() {
            now.addAll(next);
            next.clear();
            for (Runnable command = now.poll(); command != null; command = now.poll()) {
                command.run();
            }
        }

        @Override
        public void execute(Runnable command) {
            now.add(command);
        }

        @Override
        public void executeAfterReading(Runnable command) {
            next.add(command);
        }

        @Override
        public int index() {
            return 0;
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public FaultBarrier faults() {
            return faults;
        }

        @Override
        public WaitingMessages waiting() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long numberMessages(int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onDelivered(int copies, long nanos) {
            throw new UnsupportedOperationException();
        }
    }
}
