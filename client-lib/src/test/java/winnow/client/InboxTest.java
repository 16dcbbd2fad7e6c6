package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import winnow.client.destination.WinnowQueue;
import winnow.client.message.AllowedClasses;
import winnow.client.message.MessageOrigin;
import winnow.client.message.NameTable;
import winnow.client.message.SpillSpace;

class InboxTest {
    private static final int WINDOW = 200;
    private static final int ROUNDS = 3000;
    private static final long DEADLINE_SECONDS = 60;

    private static Inbox inbox() throws JMSException {
        PrefetchWindow window = new PrefetchWindow(WINDOW, 64 * 1024 * 1024, null);
        window.open();
        return new Inbox(
                new MessageOrigin(
                        WinnowQueue.parse("q"), new NameTable(), () -> {}, AllowedClasses.NONE),
                SpillSpace.UNLIMITED,
                new Inbox.Room(window, 1024 * 1024),
                new InboxOwner() {});
    }

    private static void deliverWindow(Inbox inbox, byte[] block) {
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
        Inbox[] inboxes = new Inbox[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            inboxes[i] = inbox();
        }
        ExecutorService control = Executors.newSingleThreadExecutor();
        try {
            Future<?> fetching =
                    control.submit(() -> {
                        for (Inbox inbox : inboxes) {
                            turn.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                            inbox.poll();
                            turn.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                        }
                        return null;
                    });

            // when
            for (Inbox inbox : inboxes) {
                deliverWindow(inbox, block);
                turn.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                inbox.discardArrived();
                turn.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                deliverWindow(inbox, block);
            }

            // then
            fetching.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            assertThat(inboxes).allMatch(Inbox::hasArrived);
        } finally {
            control.shutdownNow();
        }
    }
}
