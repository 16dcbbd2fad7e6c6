package winnow.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.ScriptedBroker;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.frame.ControlFrame;

class OpenDestinationsTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ScriptedBroker broker;
    private Connection connection;
    private Session session;
    private MessageProducer anonymous;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        connection = broker.factory().createConnection();
        session = connection.createSession();
        anonymous = session.createProducer(null);
        anonymous.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
        threads.shutdownNow();
    }

    private void send(String topic) throws JMSException {
        anonymous.send(session.createTopic(topic), session.createMessage());
    }

    private Future<?> sendInBackground(String topic) {
        return threads.submit(() -> {
            send(topic);
            return null;
        });
    }

    private ControlFrame.Open nextOpen() {
        return (ControlFrame.Open) broker.await(FrameType.OPEN).control();
    }

    /// Makes another producer use as many topics one after the other as may stay open unused.
    private void fill() throws JMSException {
        MessageProducer other = session.createProducer(null);
        other.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i <= OpenDestinations.MAX_UNUSED; i++) {
            other.send(session.createTopic("other" + i), session.createMessage());
        }
        other.close();
    }

    @Test
    void shouldReleaseTheLongestUnused() throws Exception {
        // given
        send("first");
        int first = nextOpen().handle();
        anonymous.close();

        // when
        fill();

        // then
        assertThat(broker.await(FrameType.RELEASE).handle()).isEqualTo(first);
    }

    @Test
    void shouldNotMakeOthersWaitForTheBrokerToOpenOne() throws Exception {
        // given
        MessageProducer closed = session.createProducer(session.createTopic("open"));
        nextOpen();
        broker.holdAnswers(FrameType.OPEN);
        Future<?> sending = sendInBackground("stalled");
        ControlFrame.Open stalled = nextOpen();

        // when
        Future<?> others =
                threads.submit(() -> {
                    Session second = connection.createSession();
                    second.createProducer(second.createTopic("open"));
                    closed.close();
                    return null;
                });

        // then
        others.get(10, TimeUnit.SECONDS);
        assertThat(sending).isNotDone();
        broker.send(new ControlFrame.Accepted(stalled.requestId()));
        broker.grant(stalled.handle(), 1024);
        sending.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldOpenADestinationAgainAfterARefusal() throws Exception {
        // given
        broker.holdAnswers(FrameType.OPEN);
        Future<?> sending = sendInBackground("full");
        ControlFrame.Open refused = nextOpen();
        broker.giveAnswers(FrameType.OPEN);
        broker.send(
                new ControlFrame.Refused(
                        refused.requestId(), ErrorCode.LIMIT_EXCEEDED.number(), "too many"));
        assertThatThrownBy(() -> sending.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("too many");

        // when
        send("full");

        // then
        assertThat(broker.await(FrameType.PUBLISH).handle()).isNotEqualTo(refused.handle());
    }

    @Test
    void shouldGiveBackWhatIsOpenedForAProducerThatIsClosedMeanwhile() throws Exception {
        // given
        broker.holdAnswers(FrameType.OPEN);
        Future<?> sending = sendInBackground("first");
        ControlFrame.Open first = nextOpen();
        broker.giveAnswers(FrameType.OPEN);

        // when
        anonymous.close();
        broker.send(new ControlFrame.Accepted(first.requestId()));

        // then
        assertThatThrownBy(() -> sending.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(IllegalStateException.class);
        fill();
        assertThat(broker.await(FrameType.RELEASE).handle()).isEqualTo(first.handle());
    }
}
