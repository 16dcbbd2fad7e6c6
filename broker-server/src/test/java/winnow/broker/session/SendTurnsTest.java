package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import winnow.broker.destination.SlicedWork;
import winnow.broker.session.StoredDeliveries.Delivery;
import winnow.broker.storage.Flight;
import winnow.broker.subscription.BacklogMemory;

/// What waited for sockets that take bytes again.
class SendTurnsTest {
    private static final int MESSAGES = 100;
    private static final int MESSAGE_BYTES = 2000;

    private final FakeSessionLoop loop = new FakeSessionLoop(new BacklogMemory(1 << 20));
    private final FakeOutput output = new FakeOutput(loop);
    private final SessionContext context = loop.context(1 << 20);
    private final SlicedWork work = context.destinations().work(loop);
    private final List<String> steps = new ArrayList<>();
    private final StoredDeliveries deliveries =
            new StoredDeliveries(output, new Flight(), context.storage());

    private SendTurns turns(BooleanSupplier sendSome) {
        return new SendTurns(work, output, sendSome);
    }

    /// Takes three steps, which are noted.
    private SendTurns threeSteps(String name) {
        AtomicInteger taken = new AtomicInteger();
        return turns(() -> {
            steps.add(name);
            return taken.incrementAndGet() < 3;
        });
    }

    private void addAll() {
        for (int i = 0; i < MESSAGES; i++) {
            byte[] block = new byte[MESSAGE_BYTES];
            block[0] = (byte) i;
            deliveries.add(Delivery.of(1, 1, block).as(i + 1, 0, 0));
        }
    }

    private List<Integer> sent() {
        return output.appended.stream().map(block -> (int) block[0]).toList();
    }

    @Test
    void shouldTakeTurnsWithOtherConnections() {
        threeSteps("a").onWritable();
        threeSteps("b").onWritable();
        assertThat(steps).isEmpty();

        loop.runAllCommands();
        assertThat(steps).containsExactly("a", "b", "a", "b", "a", "b");
    }

    @Test
    void shouldBeginOnceAtATime() {
        SendTurns once = threeSteps("a");
        once.onWritable();
        once.onWritable();
        loop.runAllCommands();
        assertThat(steps).hasSize(3);

        once.onWritable();
        loop.runAllCommands();
        assertThat(steps).hasSize(4);
    }

    @Test
    void shouldEndWithTheConnection() {
        SendTurns closed = threeSteps("a");
        closed.onWritable();
        closed.close();
        loop.runAllCommands();
        closed.onWritable();
        loop.runAllCommands();

        assertThat(steps).isEmpty();
    }

    @Test
    void shouldKeepAFaultToItsConnection() {
        // given
        AtomicInteger calls = new AtomicInteger();
        SendTurns faulty =
                turns(() -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("injected");
                });

        // when
        faulty.onWritable();
        threeSteps("b").onWritable();
        loop.runAllCommands();

        // then
        assertThat(calls).hasValue(1);
        assertThat(loop.faultCount()).isEqualTo(1);
        assertThat(steps).hasSize(3);

        // and it is tried again when the socket says so
        faulty.onWritable();
        loop.runAllCommands();
        assertThat(calls).hasValue(2);
    }

    @Test
    void shouldSendALittleAtATimeInOrder() {
        // given
        output.writable = false;
        addAll();
        assertThat(sent()).isEmpty();
        output.writable = true;

        // when
        boolean more = deliveries.sendSome();

        // then
        assertThat(more).isTrue();
        assertThat(sent().size() * MESSAGE_BYTES).isBetween(10_000, 40_000);

        // and a new one does not overtake those that wait, nor sends them
        int before = sent().size();
        deliveries.add(Delivery.of(1, 1, new byte[] {(byte) MESSAGES}).as(MESSAGES + 1, 0, 0));
        assertThat(sent()).hasSize(before);

        while (more) {
            more = deliveries.sendSome();
        }
        assertThat(sent())
                .containsExactlyElementsOf(IntStream.rangeClosed(0, MESSAGES).boxed().toList());
    }

    @Test
    void shouldSendAtOnceWhatNothingWaitsBefore() {
        addAll();

        assertThat(sent()).containsExactlyElementsOf(IntStream.range(0, MESSAGES).boxed().toList());
        assertThat(deliveries.sendSome()).isFalse();
    }

    @Test
    void shouldStopWhenTheSocketTakesNoMore() {
        output.writable = false;
        addAll();

        assertThat(deliveries.sendSome()).isFalse();
        assertThat(sent()).isEmpty();
    }
}
