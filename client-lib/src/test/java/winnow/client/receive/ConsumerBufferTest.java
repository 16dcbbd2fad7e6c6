package winnow.client.receive;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import winnow.client.TestMessages;
import winnow.client.destination.WinnowQueue;
import winnow.client.message.AllowedClasses;
import winnow.client.message.MessageOrigin;
import winnow.client.message.NameTable;
import winnow.client.message.SpillSpace;

class ConsumerBufferTest {
    private static final int WINDOW = 200;
    private static final int ROUNDS = 3000;
    private static final long DEADLINE_SECONDS = 60;

    private static ConsumerBuffer inbox() throws JMSException {
        PrefetchWindow window = new PrefetchWindow(WINDOW, 64 * 1024 * 1024, null);
        window.open();
        return new ConsumerBuffer(
                new MessageOrigin(
                        WinnowQueue.parse("q"), new NameTable(), () -> {}, AllowedClasses.NONE),
                SpillSpace.UNLIMITED,
                new ConsumerBuffer.Room(window, 1024 * 1024),
                new InboxOwner() {});
    }

    private static void deliverWindow(ConsumerBuffer inbox, byte[] block) {
        for (int i = 0; i < WINDOW; i++) {
            inbox.onStoredDelivery(block, i + 1L, 0);
        }
        inbox.onBatchEnd();
    }

    @Test
    void shouldTakeAWholeWindowAfterTheOneThatWentBackWhoeverFetchesMeanwhile() throws Exception {
        // given
        byte[] block = TestMessages.text("m");
        CyclicBarrier turn = new CyclicBarrier(2);
        ConsumerBuffer[] inboxes = new ConsumerBuffer[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            inboxes[i] = inbox();
        }
        ExecutorService control = Executors.newSingleThreadExecutor();
        try {
            Future<?> fetching =
                    control.submit(() -> {
                        for (ConsumerBuffer inbox : inboxes) {
                            turn.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                            inbox.poll();
                            turn.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                        }
                        return null;
                    });

            // when
            for (ConsumerBuffer inbox : inboxes) {
                deliverWindow(inbox, block);
                turn.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                inbox.discardArrived();
                turn.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                deliverWindow(inbox, block);
            }

            // then
            fetching.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            assertThat(inboxes).allMatch(ConsumerBuffer::hasArrived);
        } finally {
            control.shutdownNow();
        }
    }
}
