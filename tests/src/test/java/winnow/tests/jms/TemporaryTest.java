package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Temporary destinations, and the requests and replies that they are for.
class TemporaryTest extends JmsRig {
    /// Answers each message of a destination with its text and an exclamation mark.
    private void answer(Destination destination) throws JMSException {
        Session answering = broker.connect().createSession();
        answering
                .createConsumer(destination)
                .setMessageListener(message -> {
                    try {
                        String text = ((TextMessage) message).getText();
                        TextMessage reply = answering.createTextMessage(text + "!");
                        reply.setJMSCorrelationID(message.getJMSMessageID());
                        answering.createProducer(message.getJMSReplyTo()).send(reply);
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void shouldBringRepliesToATemporaryQueue() throws Exception {
        // given
        answer(session.createQueue("questions"));
        TemporaryQueue replies = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(replies);
        TextMessage question = session.createTextMessage("who");
        question.setJMSReplyTo(replies);

        // when
        session.createProducer(session.createQueue("questions")).send(question);

        // then
        Message reply = receive(consumer);
        assertThat(((TextMessage) reply).getText()).isEqualTo("who!");
        assertThat(reply.getJMSCorrelationID()).isEqualTo(question.getJMSMessageID());
        assertThat(reply.getJMSDestination()).isEqualTo(replies);
    }

    @Test
    void shouldAnswerAQueueRequestor() throws Exception {
        // given
        answer(session.createQueue("questions"));
        try (QueueConnection queues = broker.factory("").createQueueConnection()) {
            queues.start();
            QueueSession own = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            QueueRequestor requestor = new QueueRequestor(own, own.createQueue("questions"));

            // when
            Message first = requestor.request(own.createTextMessage("who"));
            Message second = requestor.request(own.createTextMessage("where"));

            // then
            assertThat(((TextMessage) first).getText()).isEqualTo("who!");
            assertThat(((TextMessage) second).getText()).isEqualTo("where!");
            requestor.close();
        }
    }

    @Test
    void shouldAnswerATopicRequestor() throws Exception {
        // given
        answer(session.createTopic("questions"));
        try (TopicConnection topics = broker.factory("").createTopicConnection()) {
            topics.start();
            TopicSession own = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
            TopicRequestor requestor = new TopicRequestor(own, own.createTopic("questions"));

            // when
            Message reply = requestor.request(own.createTextMessage("who"));

            // then
            assertThat(((TextMessage) reply).getText()).isEqualTo("who!");
            requestor.close();
        }
    }

    @Test
    void shouldLetOnlyItsConnectionConsume() throws Exception {
        // given
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        Session other = broker.connect().createSession();

        // when
        send(other, other.createProducer(queue), "a");

        // then
        assertThatThrownBy(() -> other.createConsumer(queue))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> other.createConsumer(topic))
                .isInstanceOf(InvalidDestinationException.class);
        assertThat(text(connection.createSession().createConsumer(queue))).isEqualTo("a");
    }

    @Test
    void shouldEndWhenItIsDeletedAndNotBefore() throws Exception {
        // given
        TemporaryQueue queue = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(queue);

        // when, then
        assertThatThrownBy(queue::delete).isInstanceOf(IllegalStateException.class);
        consumer.close();
        queue.delete();
        assertThatThrownBy(() -> session.createConsumer(queue))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> broker.connect().createSession().createProducer(queue))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldEndWithItsConnection() throws Exception {
        // given
        Connection other = broker.connect();
        TemporaryTopic topic = other.createSession().createTemporaryTopic();
        assertThat(session.createProducer(topic)).isNotNull();

        // when
        other.close();

        // then
        assertThatThrownBy(() -> broker.connect().createSession().createProducer(topic))
                .isInstanceOf(InvalidDestinationException.class);
    }

    /// Whoever asked has gone: what else the transaction did takes effect.
    @ParameterizedTest
    @ValueSource(ints = {1, 3 * 1024 * 1024})
    void shouldCommitWhatIsLeftWhenAReplyHasNobodyToGoTo(int bytes) throws Exception {
        // given
        Connection asking = broker.connect();
        Session asked = asking.createSession();
        TemporaryQueue replies = asked.createTemporaryQueue();
        TextMessage question = asked.createTextMessage("who");
        question.setJMSReplyTo(replies);
        asked.createProducer(asked.createQueue("questions")).send(question);
        Session transacted = broker.connect().createSession(true, Session.SESSION_TRANSACTED);
        Message received = receive(transacted.createConsumer(transacted.createQueue("questions")));
        MessageProducer replying = transacted.createProducer(received.getJMSReplyTo());
        MessageProducer keeping = transacted.createProducer(transacted.createQueue("kept"));
        BytesMessage reply = transacted.createBytesMessage();
        reply.writeBytes(new byte[bytes]);

        // when: one is sent before, one after the queue has ended
        replying.send(reply);
        asking.close();
        keeping.send(transacted.createTextMessage("answered"));
        try {
            replying.send(reply);
        } catch (InvalidDestinationException e) {
            // What is sent in parts is refused at once, what is whole without a word.
        }
        transacted.commit();

        // then
        assertThat(text(session.createConsumer(session.createQueue("kept")))).isEqualTo("answered");
        expectNothing(session.createConsumer(session.createQueue("questions")));
    }

    @Test
    void shouldServeAContext() {
        // given
        try (JMSContext context = broker.factory("").createContext()) {
            TemporaryQueue queue = context.createTemporaryQueue();

            // when
            context.createProducer().send(queue, "a");

            // then
            assertThat(
                            context.createConsumer(queue)
                                    .receiveBody(String.class, JmsBroker.DEADLINE_MILLIS))
                    .isEqualTo("a");
        }
    }
}
