package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Messages that do not fit into a consumer's heap.
class UnfittingMessageTest {
    private static final int LONG = 3_000_000;

    private JmsBroker broker;
    private Session session;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker(Map.of("queue.redelivery-delay", "0s"));
        session = broker.connect().createSession();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void shouldBuryATextThatFitsNowhereAndGoOn() throws Exception {
        // given
        Queue queue = session.createQueue("orders");
        send(session, session.createProducer(queue), "x".repeat(LONG), "next");
        Connection small = broker.connect("?maxMessageBytes=1500000");
        CompletableFuture<JMSException> lost = new CompletableFuture<>();
        small.setExceptionListener(lost::complete);

        // when
        MessageConsumer consumer = small.createSession().createConsumer(queue);

        // then
        assertThat(text(consumer)).isEqualTo("next");
        expectNothing(consumer);
        MessageConsumer dead = session.createConsumer(session.createQueue("winnow.dead"));
        assertThat(receive(dead).getBody(String.class)).hasSize(LONG);
        assertThat(lost).isNotDone();
    }

    @Test
    void shouldLeaveTheMessageToAConsumerThatItFits() throws Exception {
        // given
        Queue queue = session.createQueue("orders");
        broker.connect("?maxMessageBytes=1500000").createSession().createConsumer(queue);
        MessageConsumer consumer = session.createConsumer(queue);

        // when
        send(session, session.createProducer(queue), "x".repeat(LONG));

        // then
        assertThat(text(consumer)).hasSize(LONG);
    }

    @Test
    void shouldLeaveOutALongMessageOfATopic() throws Exception {
        // given
        Connection small = broker.connect("?maxMessageBytes=1500000");
        MessageConsumer consumer =
                small.createSession().createConsumer(session.createTopic("news"));

        // when
        send(
                session,
                session.createProducer(session.createTopic("news")),
                "first",
                "x".repeat(LONG),
                "next");

        // then
        assertThat(text(consumer)).isEqualTo("first");
        assertThat(text(consumer)).isEqualTo("next");
    }
}
