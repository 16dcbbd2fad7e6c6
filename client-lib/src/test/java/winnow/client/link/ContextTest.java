package winnow.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Topic;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.client.WinnowConnectionFactory;
import winnow.wire.FrameType;
import winnow.wire.frame.ControlFrame;

class ContextTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private ScriptedBroker broker;
    private JMSContext context;
    private Topic topic;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        broker.relay();
        WinnowConnectionFactory factory = broker.factory();
        factory.setAllowedClasses("java.util.UUID");
        context = factory.createContext();
        topic = context.createTopic("prices");
    }

    @AfterEach
    void disconnect() throws Exception {
        context.close();
        broker.close();
    }

    @Test
    void shouldSendAndReceiveEachKindOfBody() {
        // given
        JMSConsumer consumer = context.createConsumer(topic);
        JMSProducer producer = context.createProducer();
        UUID id = new UUID(1, 2);

        // when
        producer.send(topic, "text");
        producer.send(topic, new byte[] {1, 2, 3});
        producer.send(topic, Map.<String, Object>of("a", 1, "b", "two"));
        producer.send(topic, id);

        // then
        assertThat(consumer.receiveBody(String.class, DEADLINE_MILLIS)).isEqualTo("text");
        assertThat(consumer.receiveBody(byte[].class, DEADLINE_MILLIS)).containsExactly(1, 2, 3);
        assertThat((Object) consumer.receiveBody(Map.class, DEADLINE_MILLIS))
                .isEqualTo(Map.of("a", 1, "b", "two"));
        assertThat(consumer.receiveBody(UUID.class, DEADLINE_MILLIS)).isEqualTo(id);
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
    }

    @Test
    void shouldPutTheProducersSettingsOnEachMessage() throws Exception {
        // given
        JMSConsumer consumer = context.createConsumer(topic);

        // when
        context.createProducer()
                .setProperty("region", 7)
                .setProperty("open", true)
                .setJMSCorrelationID("#7")
                .setJMSType("quote")
                .setJMSReplyTo(topic)
                .setPriority(9)
                .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .setTimeToLive(60_000)
                .send(topic, "x");

        // then
        Message message = consumer.receive(DEADLINE_MILLIS);
        assertThat(message.getIntProperty("region")).isEqualTo(7);
        assertThat(message.getBooleanProperty("open")).isTrue();
        assertThat(message.getJMSCorrelationID()).isEqualTo("#7");
        assertThat(message.getJMSType()).isEqualTo("quote");
        assertThat(message.getJMSReplyTo()).isEqualTo(topic);
        assertThat(message.getJMSPriority()).isEqualTo(9);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSTimestamp() + 60_000);
    }

    @Test
    void shouldKeepTheSettingsOfProducersApart() throws Exception {
        // given
        JMSConsumer consumer = context.createConsumer(topic);
        JMSProducer urgent = context.createProducer();
        JMSProducer bulk = context.createProducer();

        // when
        urgent.setPriority(9).setDisableMessageID(true).setTimeToLive(60_000);
        bulk.setPriority(1).setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        urgent.send(topic, "urgent");
        bulk.send(topic, "bulk");

        // then
        Message first = consumer.receive(DEADLINE_MILLIS);
        assertThat(first.getJMSPriority()).isEqualTo(9);
        assertThat(first.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(first.getJMSMessageID()).isNull();
        assertThat(first.getJMSExpiration()).isPositive();
        Message second = consumer.receive(DEADLINE_MILLIS);
        assertThat(second.getJMSPriority()).isEqualTo(1);
        assertThat(second.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(second.getJMSMessageID()).isNotNull();
        assertThat(second.getJMSExpiration()).isZero();
        assertThat(urgent.getPriority()).isEqualTo(9);
        assertThat(bulk.getTimeToLive()).isZero();
    }

    @Test
    void shouldKeepNothingOfProducersThatAreForgotten() {
        // given
        int more = 3;

        // when
        for (int i = 0; i <= OpenDestinations.MAX_UNUSED + more; i++) {
            context.createProducer().send(context.createTopic("t" + i), "x");
        }

        // then
        for (int handle = 1; handle <= more; handle++) {
            ControlFrame.Release released =
                    (ControlFrame.Release) broker.await(FrameType.RELEASE).control();
            assertThat(released.handle()).isEqualTo(handle);
        }
    }

    @Test
    void shouldCompleteAsynchronousSends() throws Exception {
        // given
        CompletableFuture<Message> completed = new CompletableFuture<>();
        CompletionListener listener =
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        completed.complete(message);
                    }

                    @Override
                    public void onException(Message message, Exception exception) {
                        completed.completeExceptionally(exception);
                    }
                };
        Message message = context.createTextMessage("x");

        // when
        context.createProducer().setAsync(listener).send(topic, message);

        // then
        assertThat(completed.get(10, TimeUnit.SECONDS)).isSameAs(message);
    }

    @Test
    void shouldStartWithTheFirstConsumerUnlessToldNotTo() {
        // given
        context.setAutoStart(false);
        JMSConsumer consumer = context.createConsumer(topic);

        // when
        context.createProducer().send(topic, "x");

        // then
        assertThat(consumer.receiveNoWait()).isNull();
        context.start();
        assertThat(consumer.receiveBody(String.class, DEADLINE_MILLIS)).isEqualTo("x");
    }

    @Test
    void shouldShareTheConnectionUntilTheLastContextIsClosed() {
        // given
        JMSContext second = context.createContext(JMSContext.CLIENT_ACKNOWLEDGE);

        // when
        context.close();

        // then
        assertThatThrownBy(() -> context.createProducer())
                .isInstanceOf(IllegalStateRuntimeException.class);
        JMSConsumer consumer = second.createConsumer(topic);
        second.createProducer().send(topic, "x");
        assertThat(consumer.receiveBody(String.class, DEADLINE_MILLIS)).isEqualTo("x");
        second.acknowledge();
        assertThat(broker.poll(FrameType.GOODBYE)).isNull();
        second.close();
        broker.await(FrameType.GOODBYE);
    }

    @Test
    void shouldLetGoOfTheConnectionOnceIfTwoThreadsClose() throws Exception {
        // given
        JMSContext second = context.createContext(JMSContext.AUTO_ACKNOWLEDGE);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        context.createConsumer(topic)
                .setMessageListener(message -> {
                    entered.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        second.createProducer().send(topic, "x");
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        List<Thread> closers = List.of(new Thread(context::close), new Thread(context::close));

        // when
        closers.get(0).start();
        Awaiting.until(() -> closers.get(0).getState() == Thread.State.WAITING);
        closers.get(1).start();
        release.countDown();

        // then
        for (Thread closer : closers) {
            closer.join(10_000);
        }
        second.createProducer().send(topic, "y");
        second.close();
    }

    @Test
    void shouldDoNothingOnceClosedWhileOthersShareTheConnection() {
        // given
        JMSContext second = context.createContext(JMSContext.AUTO_ACKNOWLEDGE);
        context.close();

        // then
        List<Runnable> calls =
                List.of(
                        context::getClientID,
                        () -> context.setClientID("me"),
                        context::getMetaData,
                        context::getExceptionListener,
                        () -> context.setExceptionListener(null));
        assertThat(calls)
                .allSatisfy(call ->
                        assertThatThrownBy(call::run)
                                .isInstanceOf(IllegalStateRuntimeException.class)
                                .hasMessageContaining("context is closed"));
        second.close();
    }

    @Test
    void shouldSetTheClientIdentifierBeforeTheSessionIsUsed() {
        // given
        try (JMSContext fresh = broker.factory().createContext()) {
            // when
            fresh.setClientID("meter-7");

            // then
            assertThat(fresh.getClientID()).isEqualTo("meter-7");
            assertThat(fresh.createTopic("t")).isNotNull();
        }
    }

    @Test
    void shouldReportErrorsUnchecked() {
        // given
        JMSConsumer consumer = context.createConsumer(topic);
        context.createProducer().send(topic, "text");

        // when, then
        assertThatThrownBy(() -> consumer.receiveBody(Integer.class, DEADLINE_MILLIS))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> context.commit()).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.rollback())
                .isInstanceOf(IllegalStateRuntimeException.class);
    }
}
