package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.FrameType;
import winnow.wire.WireReader;

class HeldFrameTest {
    private static final int LONG = 4000;

    private final FakeSessionLoop loop = new FakeSessionLoop(new BacklogMemory(1024));
    private final FakeOutput output = new FakeOutput(loop);
    private final SessionContext context = loop.context(1 << 20);
    private final MetadataAccount account =
            new MetadataAccount(context.metadata(), context.destinations());
    private final ReadingPauses pauses = new ReadingPauses(output);
    private final StorageCommands commands = new StorageCommands(context, output, account, pauses);
    private final List<byte[]> given = new ArrayList<>();
    private final HeldFrame held =
            new HeldFrame(
                    commands,
                    pauses,
                    (type, payload) -> {
                        assertThat(type).isEqualTo(FrameType.ACKNOWLEDGE);
                        byte[] bytes = new byte[payload.remaining()];
                        for (int i = 0; i < bytes.length; i++) {
                            bytes[i] = payload.readByte();
                        }
                        given.add(bytes);
                    });

    @BeforeEach
    void fill() {
        account.owner("ann");
        // More than what each owner has first.
        context.commands().add("ann", context.commands().limitBytes() / 64);
        context.commands().add("bob", context.commands().limitBytes());
    }

    @AfterEach
    void close() {
        context.storage().close();
    }

    private boolean hold(int type, byte[] array, int from, int to) {
        return held.hold(type, new WireReader().wrap(array, from, to));
    }

    @Test
    void shouldKeepALongFrameUntilThereIsMemoryForItsDeliveries() {
        // given
        byte[] array = new byte[LONG + 20];
        array[10] = 7;

        // when
        assertThat(hold(FrameType.ACKNOWLEDGE, array, 10, 10 + LONG)).isTrue();
        array[10] = 8;
        held.tryAgain();

        // then
        assertThat(given).isEmpty();
        assertThat(held.isHolding()).isTrue();
        assertThat(output.reading).isFalse();

        // when
        context.commands().giveBack("bob", context.commands().limitBytes());
        held.tryAgain();

        // then
        assertThat(given).hasSize(1);
        assertThat(given.getFirst()).hasSize(LONG).startsWith(7);
        assertThat(held.isHolding()).isFalse();
        assertThat(output.reading).isTrue();
    }

    @Test
    void shouldGiveTheFrameAsSoonAsACommandBeforeItHasGivenItsMemoryBack() {
        // given
        context.storage().start();
        long limit = context.commands().limitBytes();
        context.commands().giveBack("bob", limit);
        CountDownLatch executed = new CountDownLatch(1);
        commands.execute((int) limit, shard -> await(executed));
        assertThat(hold(FrameType.ACKNOWLEDGE, new byte[LONG], 0, LONG)).isTrue();

        // when
        executed.countDown();

        // then
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (given.isEmpty() && System.nanoTime() < deadline) {
            loop.runCommands();
            Thread.onSpinWait();
        }
        assertThat(given).hasSize(1);
        assertThat(held.isHolding()).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldLetFramesThroughThatBringFewDeliveriesOrNone() {
        assertThat(hold(FrameType.ACKNOWLEDGE, new byte[100], 0, 100)).isFalse();
        assertThat(hold(FrameType.CONSUME, new byte[LONG], 0, LONG)).isFalse();
        assertThat(output.reading).isTrue();
    }

    @Test
    void shouldForgetTheFrameOfAConnectionThatHasGone() {
        // given
        hold(FrameType.ACKNOWLEDGE, new byte[LONG], 0, LONG);

        // when
        held.close();
        context.commands().giveBack("bob", context.commands().limitBytes());
        held.tryAgain();

        // then
        assertThat(given).isEmpty();
    }
}
