package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.message.WinnowObjectMessage;
import winnow.wire.DeliveryRanges;
import winnow.wire.FrameType;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.EndSession;

/// What closes while another thread receives waits until the message is received, so that the
/// broker is told that the application has it.
class CloseDuringReceiveTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private ScriptedBroker broker;
    private Gate gate;

    @BeforeEach
    void start() throws IOException {
        broker = new ScriptedBroker();
        gate = new Gate();
        Slow.gate = gate;
    }

    @AfterEach
    void stop() throws IOException {
        gate.open.countDown();
        broker.close();
    }

    /// Where a thread stands that reads the body of a message.
    private static final class Gate {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);
    }

    /// A body that can be read when its gate is open.
    static final class Slow implements Serializable {
        private static final long serialVersionUID = 1L;

        private static Gate gate = new Gate();

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            gate.reached.countDown();
            try {
                assertThat(gate.open.await(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private JMSContext context(int mode) {
        return broker.factory("allowedClasses=" + Slow.class.getName()).createContext(mode);
    }

    /// Closes when another thread has taken a message that it has not received yet.
    private void closeDuringReceive(JMSConsumer consumer, AutoCloseable closed) throws Exception {
        WinnowObjectMessage message = new WinnowObjectMessage();
        message.setObject(new Slow());
        int id = broker.consumers().get(0).consumer();
        broker.deliverStored(id, 1, 0, TestMessages.block(message));
        CompletableFuture<Slow> body =
                CompletableFuture.supplyAsync(() -> consumer.receiveBody(Slow.class));
        gate.reached.await();
        CompletableFuture<Void> closing = new CompletableFuture<>();
        Thread closer =
                new Thread(() -> {
                    try {
                        closed.close();
                        closing.complete(null);
                    } catch (Exception e) {
                        closing.completeExceptionally(e);
                    }
                });
        closer.start();
        Awaiting.until(() -> closer.getState() == Thread.State.WAITING || closing.isDone());
        gate.open.countDown();
        assertThat(body.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isNotNull();
        closing.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Test
    void shouldNameWhatWasReceivedWhenTheConsumerIsClosed() throws Exception {
        try (JMSContext context = context(JMSContext.CLIENT_ACKNOWLEDGE)) {
            // given
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));

            // when
            closeDuringReceive(consumer, consumer);

            // then
            EndConsumer end = (EndConsumer) broker.await(FrameType.END_CONSUMER).control();
            assertThat(end.seen()).isEqualTo(DeliveryRanges.of(1));
        }
    }

    @Test
    void shouldNameWhatWasReceivedWhenTheContextIsClosed() throws Exception {
        // given
        JMSContext context = context(JMSContext.SESSION_TRANSACTED);
        JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));

        // when
        closeDuringReceive(consumer, context);

        // then
        EndSession end = (EndSession) broker.await(FrameType.END_SESSION).control();
        assertThat(end.seen()).isEqualTo(DeliveryRanges.of(1));
    }

    @Test
    void shouldAcknowledgeWhatWasReceivedWhenTheContextIsClosed() throws Exception {
        for (int mode : new int[] {JMSContext.AUTO_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE}) {
            // given
            gate = new Gate();
            Slow.gate = gate;
            JMSContext context = context(mode);
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));

            // when
            closeDuringReceive(consumer, context);

            // then
            Acknowledge acknowledge = (Acknowledge) broker.await(FrameType.ACKNOWLEDGE).control();
            assertThat(acknowledge.deliveries()).isEqualTo(DeliveryRanges.of(1));
            broker.await(FrameType.END_SESSION);
        }
    }
}
