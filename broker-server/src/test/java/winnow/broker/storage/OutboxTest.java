package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FaultOwner;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;

class OutboxTest {
    private static final int PER_SLICE = 5;
    private static final long COMMAND_NANOS = Inbox.SLICE_NANOS / PER_SLICE;
    private static final FaultOwner NOBODY =
            fault -> {
                throw new AssertionError(fault);
            };

    private final FakeLoop loop = new FakeLoop(0, new BacklogMemory(1024));
    private final List<String> done = new ArrayList<>();
    private long nanos;
    private final Outbox outbox = new Outbox(() -> nanos);

    /// Commands that each copy so much that the clock is looked at.
    private void tell(String name, int first, int last) {
        for (int i = first; i <= last; i++) {
            String one = name + i;
            outbox.add(
                    loop,
                    NOBODY,
                    Inbox.LOOK_BYTES,
                    () -> {
                        nanos += COMMAND_NANOS;
                        done.add(one);
                    });
        }
    }

    /// Something else that the loop has to do.
    private void other() {
        loop.execute(() -> done.add("other"));
    }

    private static List<String> names(String name, int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> name + i).toList();
    }

    @Test
    void shouldLetTheLoopDoOtherThingsBetweenSlices() {
        // given
        tell("a", 1, 12);
        outbox.flush();
        other();

        // when, then
        loop.runCommands();
        assertThat(done).containsExactly("a1", "a2", "a3", "a4", "a5", "other");
        done.clear();
        other();
        loop.runCommands();
        assertThat(done).containsExactly("a6", "a7", "a8", "a9", "a10", "other");
        done.clear();
        loop.runCommands();
        assertThat(done).containsExactly("a11", "a12");
        assertThat(loop.runCommands()).isZero();
    }

    @Test
    void shouldKeepTheOrderOfRounds() {
        // given
        tell("a", 1, 7);
        outbox.flush();
        loop.runCommands();

        // when
        tell("b", 1, 3);
        outbox.flush();
        loop.runAllCommands();

        // then
        List<String> expected = new ArrayList<>(names("a", 1, 7));
        expected.addAll(names("b", 1, 3));
        assertThat(done).isEqualTo(expected);
    }

    @Test
    void shouldHaveOneSliceForRoundsThatComeTogether() {
        // given
        for (int round = 1; round <= 7; round++) {
            tell("a", round, round);
            outbox.flush();
        }

        // when, then
        loop.runCommands();
        assertThat(done).isEqualTo(names("a", 1, 5));
        loop.runCommands();
        assertThat(done).isEqualTo(names("a", 1, 7));
    }

    @Test
    void shouldDoSmallRoundsAtOnce() {
        // given
        for (int i = 1; i <= 100; i++) {
            String name = "a" + i;
            outbox.add(loop, NOBODY, () -> done.add(name));
        }
        outbox.flush();

        // when
        int commands = loop.runCommands();

        // then
        assertThat(commands).isEqualTo(1);
        assertThat(done).isEqualTo(names("a", 1, 100));
        assertThat(loop.runCommands()).isZero();
    }

    @Test
    void shouldLetNoMoreWaitThanALimit() {
        // given
        int all = 3 * Inbox.MAX_WAITING;
        tell("a", 1, Inbox.MAX_WAITING);
        outbox.flush();
        loop.runCommands();
        assertThat(done).hasSize(PER_SLICE);

        // when
        tell("a", Inbox.MAX_WAITING + 1, all);
        outbox.flush();
        other();
        loop.runCommands();

        // then
        assertThat(done.indexOf("other")).isEqualTo(all - Inbox.MAX_WAITING);
        loop.runAllCommands();
        done.remove("other");
        assertThat(done).isEqualTo(names("a", 1, all));
    }

    @Test
    void shouldTellTheOwnerOfACommandThatFailsAndGoOn() {
        // given
        tell("a", 1, 6);
        FaultOwner owner = fault -> done.add(fault.getMessage());
        outbox.add(
                loop,
                owner,
                () -> {
                    throw new IllegalStateException("on purpose");
                });
        tell("b", 1, 1);
        outbox.flush();

        // when
        loop.runAllCommands();

        // then
        assertThat(done.subList(6, 8)).containsExactly("on purpose", "b1");
        assertThat(loop.faultCount()).isEqualTo(1);
    }
}
