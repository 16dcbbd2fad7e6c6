package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Messages in parts where something goes wrong, or is undone.
class LargeMessageFaultTest extends LargeMessages {
    @Test
    void shouldKeepAMessageWhileTheBrokerRestarts() throws Exception {
        // given
        send(queue(), bytes(1, 5 * MIB));
        connections.removeFirst().close();

        // when
        broker = broker.restarted();
        session = connection(broker.url()).createSession();

        // then
        assertThat(body(receive(session.createConsumer(queue())))).isEqualTo(bytes(1, 5 * MIB));
        connections.removeFirst().close();
        assertThat(partsInStore()).isZero();
    }

    @Test
    void shouldLeaveNothingOfAMessageWhoseConnectionBreaks() throws Exception {
        // given
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            String url = proxy.url() + "?maxReconnectAttempts=0";
            Session cut = connection(url).createSession();
            MessageProducer producer = cut.createProducer(queue());
            proxy.breakAfter(4 * MIB);

            // when
            assertThatThrownBy(() -> producer.send(message(cut, bytes(1, 16 * MIB))))
                    .isInstanceOf(JMSException.class);
        }
        send(queue(), bytes(2, 3 * MIB));

        // then
        MessageConsumer consumer = session.createConsumer(queue());
        assertThat(body(receive(consumer))).isEqualTo(bytes(2, 3 * MIB));
        JmsBroker.expectNothing(consumer);
        connections.removeFirst().close();
        assertThat(partsInStore()).isZero();
    }

    @Test
    void shouldBringAMessageAgainWhoseConsumerBreaks() throws Exception {
        // given
        send(queue(), bytes(1, 16 * MIB));
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            proxy.breakAfter(4 * MIB);
            String url = proxy.url() + "?maxReconnectAttempts=0";
            Session cut = connection(url).createSession();
            assertThatThrownBy(() -> cut.createConsumer(queue()).receive(20_000))
                    .isInstanceOf(JMSException.class);
        }

        // when
        BytesMessage received = receive(session.createConsumer(queue()));

        // then
        assertThat(received.getJMSRedelivered()).isTrue();
        assertThat(body(received)).isEqualTo(bytes(1, 16 * MIB));
    }

    @Test
    void shouldServeOthersWhileAConsumerStalls() throws Exception {
        // given
        // More than a consumer's credit, so that the one that stalls gets no other.
        send(queue(), bytes(0, 9 * MIB));
        for (int i = 1; i < 4; i++) {
            send(queue(), bytes(i, 2 * MIB));
        }
        try (ThrottledProxy proxy = new ThrottledProxy(broker.port())) {
            Session stalled = connection(proxy.url()).createSession();
            proxy.stallAfter(MIB);
            stalled.createConsumer(queue());
            proxy.awaitStall();

            // when
            MessageConsumer consumer = session.createConsumer(queue());
            List<Integer> received = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                received.add((int) body(receive(consumer))[0]);
            }

            // then
            assertThat(received)
                    .containsExactly(
                            (int) bytes(1, 1)[0], (int) bytes(2, 1)[0], (int) bytes(3, 1)[0]);

            // when
            proxy.goOn();

            // then the idle consumer gives back what it does not use
            assertThat(body(receive(consumer))).isEqualTo(bytes(0, 9 * MIB));
        }
    }

    @Test
    void shouldSendAndReceiveInTransactions() throws Exception {
        // given
        Session sending = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        Session receiving = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = sending.createProducer(queue());
        MessageConsumer consumer = receiving.createConsumer(queue());

        // when
        producer.send(message(sending, bytes(1, 5 * MIB)));
        sending.rollback();
        producer.send(message(sending, bytes(2, 5 * MIB)));
        producer.send(sending.createTextMessage("with it"));
        JmsBroker.expectNothing(consumer);
        sending.commit();

        // then
        assertThat(body(receive(consumer))).isEqualTo(bytes(2, 5 * MIB));
        receiving.rollback();
        BytesMessage again = receive(consumer);
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(body(again)).isEqualTo(bytes(2, 5 * MIB));
        assertThat(JmsBroker.text(consumer)).isEqualTo("with it");
        receiving.commit();
        connections.removeFirst().close();
        assertThat(partsInStore()).isZero();
    }

    @Test
    void shouldMoveAMessageToTheDeadLetters() throws Exception {
        // given
        send(queue(), bytes(1, 5 * MIB));
        Session receiving = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = receiving.createConsumer(queue());

        // when
        for (int i = 0; i < 2; i++) {
            receive(consumer);
            receiving.rollback();
        }

        // then
        MessageConsumer dead = session.createConsumer(session.createQueue("winnow.dead"));
        BytesMessage buried = receive(dead);
        assertThat(buried.getStringProperty("JMS_WINNOW_DeadFrom")).isEqualTo("queue large");
        assertThat(body(buried)).isEqualTo(bytes(1, 5 * MIB));
    }

    @Test
    void shouldRefuseAMessageThatIsTooLong() throws Exception {
        // given
        Queue small = session.createQueue("short");

        // when
        assertThatThrownBy(() -> send(small, bytes(1, 4 * MIB)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("queue.max-message-bytes is 3145728");

        // then
        send(small, bytes(2, 2 * MIB));
        assertThat(body(receive(session.createConsumer(small)))).isEqualTo(bytes(2, 2 * MIB));
    }

    @Test
    void shouldRefuseATransactionWithAMessageThatIsTooLong() throws Exception {
        // given
        Session sending = connections.getFirst().createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = sending.createProducer(session.createQueue("short"));

        // when
        assertThatThrownBy(
                        () -> {
                            producer.send(message(sending, bytes(1, 4 * MIB)));
                            sending.commit();
                        })
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("queue.max-message-bytes");
        sending.rollback();

        // then
        producer.send(message(sending, bytes(2, 2 * MIB)));
        sending.commit();
        assertThat(receive(session.createConsumer(session.createQueue("short"))).getBodyLength())
                .isEqualTo(2 * MIB);
    }

    @Test
    void shouldRefuseToWriteMoreThanTheDiskMayTake() throws Exception {
        // given
        Session limited = connection(broker.url() + "?largeMessageDisk=4").createSession();
        BytesMessage message = limited.createBytesMessage();
        message.writeBytes(bytes(1, 3 * MIB));

        // then
        assertThatThrownBy(() -> message.writeBytes(bytes(1, 2 * MIB)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("largeMessageDisk");

        // when
        message.clearBody();

        // then
        message.writeBytes(bytes(1, 4 * MIB));
    }
}
