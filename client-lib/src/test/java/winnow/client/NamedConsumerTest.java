package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.error.JmsErrors;
import winnow.wire.ConsumerRole;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.BrowseEnd;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.CreateTemporary;
import winnow.wire.frame.DeleteSubscription;
import winnow.wire.frame.DeleteTemporary;

/// Browsers, temporary destinations and the names of subscriptions on the wire.
class NamedConsumerTest {
    private ScriptedBroker broker;
    private Connection connection;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new ScriptedBroker();
        connection = broker.factory("clientID=meter").createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    @Test
    void shouldShowAQueueInABrowser() throws Exception {
        // given
        Session session = connection.createSession();
        Queue queue = session.createQueue("orders");
        QueueBrowser browser = session.createBrowser(queue, "size > 3");
        Consume asked = (Consume) broker.await(FrameType.CONSUME).control();
        broker.await(FrameType.END_CONSUMER);
        List<Object> shown = new ArrayList<>();
        Thread delivering =
                new Thread(() -> {
                    Consume consume = (Consume) broker.await(FrameType.CONSUME).control();
                    JmsErrors.run(() -> deliverAndEnd(consume.consumer()));
                });
        delivering.start();

        // when
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            shown.add(((TextMessage) messages.nextElement()).getText());
        }

        // then
        assertThat(asked.creditMessages()).isZero();
        assertThat(shown).containsExactly("a", "b");
        broker.await(FrameType.END_CONSUMER);
        assertThat(browser.getQueue()).isEqualTo(queue);
        browser.close();
        assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
    }

    private void deliverAndEnd(int consumer) throws JMSException {
        try {
            broker.deliverStored(consumer, 0, 0, TestMessages.texts("a", "b"));
            broker.send(new BrowseEnd(consumer));
        } catch (IOException e) {
            throw new JMSException(e.getMessage());
        }
    }

    @Test
    void shouldNameItsSubscriptions() throws Exception {
        // given
        Session session = connection.createSession();
        Topic topic = session.createTopic("prices");

        // when
        session.createDurableConsumer(topic, "d", "a = 1", true);
        Consume durable = (Consume) broker.await(FrameType.CONSUME).control();
        session.createSharedConsumer(topic, "s");
        Consume shared = (Consume) broker.await(FrameType.CONSUME).control();
        session.createSharedDurableConsumer(topic, "sd", "b = 2");
        Consume sharedDurable = (Consume) broker.await(FrameType.CONSUME).control();
        session.unsubscribe("d");
        DeleteSubscription delete =
                (DeleteSubscription) broker.await(FrameType.DELETE_SUBSCRIPTION).control();

        // then
        assertThat(durable.role()).isEqualTo(ConsumerRole.DURABLE);
        assertThat(durable.subscription()).isEqualTo("d");
        assertThat(durable.noLocal()).isTrue();
        assertThat(durable.source().selector()).isEqualTo("a = 1");
        assertThat(shared.role()).isEqualTo(ConsumerRole.SHARED);
        assertThat(shared.subscription()).isEqualTo("s");
        assertThat(sharedDurable.role()).isEqualTo(ConsumerRole.SHARED_DURABLE);
        assertThat(sharedDurable.source().selector()).isEqualTo("b = 2");
        assertThat(delete.subscription()).isEqualTo("d");
    }

    @Test
    void shouldRefuseUnusableSubscriptions() throws Exception {
        // given
        Session session = connection.createSession();
        Topic topic = session.createTopic("prices");
        Topic temporary = session.createTemporaryTopic();
        Queue other = session.createQueue("winnow.temporary/00000000000000aa/1");

        // when, then
        assertThatThrownBy(() -> session.createSharedConsumer(topic, " "))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("expected the name of a subscription");
        assertThatThrownBy(() -> session.createDurableConsumer(temporary, "d"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createConsumer(other))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("of another");
        try (Connection anonymous = broker.factory().createConnection()) {
            assertThatThrownBy(() -> anonymous.createSession().createDurableConsumer(topic, "d"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("clientID");
        }
    }

    @Test
    void shouldMakeAndDeleteTemporaryDestinations() throws Exception {
        // given
        Session session = connection.createSession();
        String prefix = "winnow.temporary/0123456789abcdef/";

        // when
        TemporaryQueue queue = session.createTemporaryQueue();
        CreateTemporary create =
                (CreateTemporary) broker.await(FrameType.CREATE_TEMPORARY).control();
        queue.delete();
        DeleteTemporary delete =
                (DeleteTemporary) broker.await(FrameType.DELETE_TEMPORARY).control();

        // then
        assertThat(create.kind()).isEqualTo(DestinationKind.QUEUE);
        assertThat(create.name())
                .matches(prefix + "[0-9a-f]{16}-1")
                .isEqualTo(queue.getQueueName());
        assertThat(delete.name()).isEqualTo(create.name());
        assertThat(session.createTemporaryTopic().getTopicName())
                .isEqualTo(create.name().replaceFirst("1$", "2"));
    }

    @Test
    void shouldSayWhyASessionWasRefused() throws Exception {
        // given
        broker.holdAnswers(FrameType.BEGIN_SESSION);
        broker.holdAnswers(FrameType.CONSUME);
        Session session = connection.createSession();
        Thread refusing =
                new Thread(() -> {
                    BeginSession begin =
                            (BeginSession) broker.await(FrameType.BEGIN_SESSION).control();
                    Consume consume = (Consume) broker.await(FrameType.CONSUME).control();
                    JmsErrors.run(() -> refuse(begin.requestId(), consume.requestId()));
                });
        refusing.start();

        // when, then
        assertThatThrownBy(() -> session.createConsumer(session.createQueue("orders")))
                .isInstanceOf(JMSException.class)
                .hasMessage("too many sessions");
    }

    private void refuse(int begin, int consume) throws JMSException {
        try {
            broker.send(
                    new ControlFrame.Refused(
                            begin, ErrorCode.LIMIT_EXCEEDED.number(), "too many sessions"),
                    new ControlFrame.Refused(
                            consume, ErrorCode.UNKNOWN_SESSION.number(), "no session 1"));
        } catch (IOException e) {
            throw new JMSException(e.getMessage());
        }
    }
}
