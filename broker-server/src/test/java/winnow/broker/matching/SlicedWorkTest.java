package winnow.broker.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.destination.ReadingLoop;

class SlicedWorkTest {
    private static final long STEP_NANOS = SlicedWork.SLICE_NANOS / 5;

    private final ReadingLoop loop = new ReadingLoop();
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
        assertThat(loop.runCommands()).isZero();
        assertThat(loop.afterReading()).isEmpty();
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
        assertThat(loop.faultCount()).isEqualTo(1);
        assertThat(steps).containsExactly("a");
        add("b", 1);
        loop.iterate();
        assertThat(steps).containsExactly("a", "b");
    }
}
