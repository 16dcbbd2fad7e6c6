package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Groups of messages stay together and in their order, whoever receives, closes and rolls back.
class MessageGroupTest {
    private JmsBroker broker;
    private Session session;
    private MessageProducer producer;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new JmsBroker(Map.of("queue.policies", "late=redelivery-delay:300ms"));
        session = broker.connect().createSession();
        producer = session.createProducer(null);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private void send(String queue, String group, String... texts) throws JMSException {
        for (String text : texts) {
            Message message = session.createTextMessage(text);
            message.setStringProperty("JMSXGroupID", group);
            producer.send(session.createQueue(queue), message);
        }
    }

    @Test
    void shouldKeepAGroupForTheTransactionOfAClosedConsumer() throws Exception {
        // given
        Session transacted = broker.connect().createSession(Session.SESSION_TRANSACTED);
        Queue orders = transacted.createQueue("orders");
        send("orders", "g", "1", "2", "3");
        try (MessageConsumer first = transacted.createConsumer(orders)) {
            assertThat(text(first)).isEqualTo("1");
        }

        // when
        MessageConsumer second = session.createConsumer(orders);
        send("orders", "h", "other");

        // then
        assertThat(text(second)).isEqualTo("other");
        expectNothing(second);
        transacted.rollback();
        assertThat(texts(second, 3)).containsExactly("1", "2", "3");
    }

    @Test
    void shouldLetAGroupWaitForItsFirstMessage() throws Exception {
        // given
        Session transacted = broker.connect().createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = transacted.createConsumer(transacted.createQueue("late"));
        send("late", "g", "0", "1", "2", "3", "4", "5");
        assertThat(text(consumer)).isEqualTo("0");

        // when
        transacted.rollback();
        assertThat(text(consumer)).isEqualTo("0");
        transacted.rollback();

        // then
        assertThat(texts(consumer, 6)).containsExactly("0", "1", "2", "3", "4", "5");
        transacted.commit();
    }

    @Test
    void shouldBringOtherGroupsPastABusyOne() throws Exception {
        // given
        Session busy =
                broker.connect("?queuePrefetchMessages=1")
                        .createSession(Session.SESSION_TRANSACTED);
        MessageConsumer working = busy.createConsumer(busy.createQueue("orders"));
        send("orders", "busy", "first");
        assertThat(text(working)).isEqualTo("first");
        MessageConsumer idle = session.createConsumer(session.createQueue("orders"));

        // when
        for (int i = 0; i < 3000; i++) {
            send("orders", "busy", "later");
        }
        for (int i = 0; i < 10; i++) {
            send("orders", "other " + i, "other");
        }

        // then
        assertThat(texts(idle, 10)).containsOnly("other");
        busy.commit();
        assertThat(texts(working, 100)).containsOnly("later");
        busy.commit();
    }
}
