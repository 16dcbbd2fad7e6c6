package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.frame.ControlFrame;

/// Requests whose answer comes when nobody waits for it any more.
class AbandonedRequestTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private Topic topic;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        connection = broker.factory().createConnection();
        connection.start();
        session = connection.createSession();
        topic = session.createTopic("prices");
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    private static void interrupted(ThrowingCallable call) throws Exception {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(call)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("interrupted");
        } finally {
            Thread.interrupted();
        }
    }

    private ControlFrame.Subscribe abandonSubscribe() throws Exception {
        broker.holdAnswers(FrameType.SUBSCRIBE);
        interrupted(() -> session.createConsumer(topic));
        ControlFrame.Subscribe subscribe = nextSubscribe();
        broker.giveAnswers(FrameType.SUBSCRIBE);
        return subscribe;
    }

    private ControlFrame.Subscribe nextSubscribe() {
        return (ControlFrame.Subscribe) broker.await(FrameType.SUBSCRIBE).control();
    }

    private ControlFrame.Unsubscribe nextUnsubscribe() {
        return (ControlFrame.Unsubscribe) broker.await(FrameType.UNSUBSCRIBE).control();
    }

    private int subscribeAgain() throws Exception {
        MessageConsumer ignored = session.createConsumer(topic);
        assertThat(ignored).isNotNull();
        return nextSubscribe().subscriptionId();
    }

    /// Returns when the client has read what was sent.
    private void awaitRead() throws JMSException {
        session.createProducer(session.createTopic("read until here")).close();
    }

    @Test
    void shouldEndASubscriptionThatWasAcceptedLate() throws Exception {
        // given
        ControlFrame.Subscribe abandoned = abandonSubscribe();
        broker.holdAnswers(FrameType.UNSUBSCRIBE);

        // when
        broker.send(new ControlFrame.Accepted(abandoned.requestId()));

        // then
        ControlFrame.Unsubscribe end = nextUnsubscribe();
        assertThat(end.subscriptionId()).isEqualTo(abandoned.subscriptionId());
        broker.deliver(abandoned.subscriptionId(), TestMessages.text("nobody's"));
        assertThat(subscribeAgain()).isNotEqualTo(abandoned.subscriptionId());
        broker.send(new ControlFrame.Accepted(end.requestId()));
        awaitRead();
        assertThat(subscribeAgain()).isEqualTo(abandoned.subscriptionId());
    }

    @Test
    void shouldKeepTheIdOfASubscriptionUntilItIsAnswered() throws Exception {
        // given
        ControlFrame.Subscribe abandoned = abandonSubscribe();

        // when, then
        assertThat(subscribeAgain()).isNotEqualTo(abandoned.subscriptionId());
        broker.send(
                new ControlFrame.Refused(
                        abandoned.requestId(), ErrorCode.LIMIT_EXCEEDED.number(), "too many"));
        awaitRead();
        assertThat(subscribeAgain()).isEqualTo(abandoned.subscriptionId());
        assertThat(broker.poll(FrameType.UNSUBSCRIBE)).isNull();
    }

    @Test
    void shouldNotGiveMessagesOfAnEndingSubscriptionToAnotherConsumer() throws Exception {
        // given
        MessageConsumer old = session.createConsumer(topic);
        int oldId = nextSubscribe().subscriptionId();
        broker.holdAnswers(FrameType.UNSUBSCRIBE);
        Thread.currentThread().interrupt();
        old.close();
        Thread.interrupted();
        ControlFrame.Unsubscribe end = nextUnsubscribe();

        // when
        MessageConsumer other = session.createConsumer(session.createTopic("other"));
        int otherId = nextSubscribe().subscriptionId();
        broker.deliver(oldId, TestMessages.text("late"));
        broker.deliver(otherId, TestMessages.text("right"));

        // then
        assertThat(((TextMessage) other.receive(DEADLINE_MILLIS)).getText()).isEqualTo("right");
        broker.send(new ControlFrame.Accepted(end.requestId()));
        awaitRead();
        assertThat(subscribeAgain()).isEqualTo(oldId);
    }

    @Test
    void shouldReleaseADestinationThatWasOpenedLate() throws Exception {
        // given
        broker.holdAnswers(FrameType.OPEN);
        interrupted(() -> session.createProducer(topic));
        ControlFrame.Open abandoned = (ControlFrame.Open) broker.await(FrameType.OPEN).control();

        // when
        broker.send(new ControlFrame.Accepted(abandoned.requestId()));

        // then
        assertThat(broker.await(FrameType.RELEASE).handle()).isEqualTo(abandoned.handle());
    }

    @Test
    void shouldNotReleaseADestinationThatWasRefusedLate() throws Exception {
        // given
        broker.holdAnswers(FrameType.OPEN);
        interrupted(() -> session.createProducer(topic));
        ControlFrame.Open abandoned = (ControlFrame.Open) broker.await(FrameType.OPEN).control();
        broker.giveAnswers(FrameType.OPEN);

        // when
        broker.send(
                new ControlFrame.Refused(
                        abandoned.requestId(), ErrorCode.LIMIT_EXCEEDED.number(), "too many"));

        // then
        awaitRead();
        assertThat(broker.poll(FrameType.RELEASE)).isNull();
    }
}
