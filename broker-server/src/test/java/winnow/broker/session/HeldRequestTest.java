package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.subscription.BacklogMemory;

class HeldRequestTest {
    private static final long HEAP_BYTES = 32_000;

    private final FakeSessionLoop loop = new FakeSessionLoop(new BacklogMemory(1024));
    private final FakeOutput output = new FakeOutput(loop);
    private final SessionContext context = loop.context(1 << 20);
    private final MetadataAccount account =
            new MetadataAccount(context.metadata(), context.destinations());
    private final ReadingPauses pauses = new ReadingPauses(output);
    private final StorageCommands commands = new StorageCommands(context, output, account, pauses);
    private final HeldRequest held = new HeldRequest(commands, pauses);
    private int asked;
    private int given;

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

    private boolean hold() {
        return held.hold(
                HEAP_BYTES,
                () -> {
                    asked++;
                    return () -> given++;
                });
    }

    @Test
    void shouldKeepARequestUntilThereIsMemoryForItsDeliveries() {
        // when
        assertThat(hold()).isTrue();
        held.tryAgain();

        // then
        assertThat(given).isZero();
        assertThat(held.isHolding()).isTrue();
        assertThat(output.reading).isFalse();

        // when
        context.commands().giveBack("bob", context.commands().limitBytes());
        held.tryAgain();

        // then
        assertThat(given).isEqualTo(1);
        assertThat(held.isHolding()).isFalse();
        assertThat(output.reading).isTrue();
    }

    @Test
    void shouldGiveTheRequestAsSoonAsACommandBeforeItHasGivenItsMemoryBack() {
        // given
        context.storage().start();
        long limit = context.commands().limitBytes();
        context.commands().giveBack("bob", limit);
        CountDownLatch executed = new CountDownLatch(1);
        commands.execute((int) limit, shard -> await(executed));
        assertThat(hold()).isTrue();

        // when
        executed.countDown();

        // then
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (given == 0 && System.nanoTime() < deadline) {
            loop.runCommands();
            Thread.onSpinWait();
        }
        assertThat(given).isEqualTo(1);
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
    void shouldNotAskForARequestForWhichThereIsMemory() {
        // given
        context.commands().giveBack("bob", context.commands().limitBytes());

        // then
        assertThat(hold()).isFalse();
        assertThat(asked).isZero();
        assertThat(output.reading).isTrue();
    }

    @Test
    void shouldForgetTheRequestOfAConnectionThatHasGone() {
        // given
        hold();

        // when
        held.close();
        context.commands().giveBack("bob", context.commands().limitBytes());
        held.tryAgain();

        // then
        assertThat(given).isZero();
    }
}
