package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.message.WinnowBytesMessage;

/// Messages that travel in parts.
class LargeMessageTest extends LargeMessages {
    @ParameterizedTest
    @ValueSource(ints = {MIB - 1, MIB, MIB + 1, 2 * MIB, 7 * MIB + 13})
    void shouldBringABodyOfAnyLength(int length) throws Exception {
        // given
        byte[] body = bytes(length, length);

        // when
        send(queue(), body);

        // then
        BytesMessage received = receive(session.createConsumer(queue()));
        assertThat(received.getBodyLength()).isEqualTo(length);
        assertThat(received.getIntProperty("length")).isEqualTo(length);
        assertThat(body(received)).isEqualTo(body);
        received.reset();
        assertThat(received.getBody(byte[].class)).isEqualTo(body);
        assertThat(received.readByte()).isEqualTo(body[0]);
    }

    @Test
    void shouldReadWhatWasWrittenValueByValue() throws Exception {
        // given
        BytesMessage message = session.createBytesMessage();
        for (int i = 0; i < 150_000; i++) {
            message.writeInt(i);
            message.writeUTF("text " + i % 10);
        }

        // when
        try (MessageProducer producer = session.createProducer(queue())) {
            producer.send(message);
        }

        // then
        BytesMessage received = receive(session.createConsumer(queue()));
        assertThat(received.getBodyLength()).isGreaterThan(MIB);
        for (int i = 0; i < 150_000; i++) {
            assertThat(received.readInt()).isEqualTo(i);
            assertThat(received.readUTF()).isEqualTo("text " + i % 10);
        }
        assertThatThrownBy(received::readByte).isInstanceOf(JMSException.class);
    }

    @Test
    void shouldCopyStreams() throws Exception {
        // given
        byte[] body = bytes(1, 3 * MIB);
        WinnowBytesMessage message = (WinnowBytesMessage) session.createBytesMessage();
        message.copyFrom(new ByteArrayInputStream(body));

        // when
        session.createProducer(queue()).send(message);

        // then
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WinnowBytesMessage received = (WinnowBytesMessage) receive(session.createConsumer(queue()));
        assertThat(received.copyTo(out)).isEqualTo(body.length);
        assertThat(out.toByteArray()).isEqualTo(body);
    }

    @Test
    void shouldBringMessagesOfAllTypes() throws Exception {
        // given
        String text = "ä".repeat(MIB);
        byte[] body = bytes(1, 2 * MIB);
        MessageProducer producer = session.createProducer(queue());
        MapMessage map = session.createMapMessage();
        map.setBytes("body", body);

        // when
        producer.send(session.createTextMessage(text));
        producer.send(map);
        producer.send(session.createObjectMessage(text));

        // then
        MessageConsumer consumer =
                connection(broker.url() + "?allowedClasses=java.lang.String")
                        .createSession()
                        .createConsumer(queue());
        assertThat(((TextMessage) JmsBroker.receive(consumer)).getText()).isEqualTo(text);
        assertThat(((MapMessage) JmsBroker.receive(consumer)).getBytes("body")).isEqualTo(body);
        assertThat(((ObjectMessage) JmsBroker.receive(consumer)).getObject()).isEqualTo(text);
    }

    @Test
    void shouldKeepTheOrderAmongSmallMessages() throws Exception {
        // given
        MessageProducer producer = session.createProducer(queue());
        producer.send(session.createTextMessage("first"));
        producer.send(message(session, bytes(1, 5 * MIB)));
        producer.send(session.createTextMessage("last"));

        // when
        MessageConsumer consumer = session.createConsumer(queue());

        // then
        assertThat(JmsBroker.text(consumer)).isEqualTo("first");
        assertThat(receive(consumer).getBodyLength()).isEqualTo(5 * MIB);
        assertThat(JmsBroker.text(consumer)).isEqualTo("last");
    }

    @Test
    void shouldConfirmToACompletionListener() throws Exception {
        // given
        CountDownLatch completed = new CountDownLatch(2);
        MessageProducer producer = session.createProducer(queue());
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

        // when
        for (int i = 0; i < 2; i++) {
            producer.send(
                    message(session, bytes(i, 3 * MIB)),
                    new CompletionListener() {
                        @Override
                        public void onCompletion(Message message) {
                            completed.countDown();
                        }

                        @Override
                        public void onException(Message message, Exception exception) {}
                    });
        }

        // then
        assertThat(completed.await(20, TimeUnit.SECONDS)).isTrue();
        MessageConsumer consumer = session.createConsumer(queue());
        assertThat(body(receive(consumer))).isEqualTo(bytes(0, 3 * MIB));
        assertThat(body(receive(consumer))).isEqualTo(bytes(1, 3 * MIB));
    }

    @Test
    void shouldShareMessagesAmongTheConsumersOfAConnection() throws Exception {
        // given
        Connection connection = connections.getFirst();
        MessageConsumer first = connection.createSession().createConsumer(queue());
        MessageConsumer second = connection.createSession().createConsumer(queue());

        // when
        for (int i = 0; i < 4; i++) {
            send(queue(), bytes(i, 9 * MIB));
        }

        // then
        List<byte[]> found = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            found.add(body(receive(first)));
            found.add(body(receive(second)));
        }
        assertThat(found)
                .containsExactlyInAnyOrder(
                        bytes(0, 9 * MIB), bytes(1, 9 * MIB), bytes(2, 9 * MIB), bytes(3, 9 * MIB));
    }

    @Test
    void shouldShowTheHeadersToABrowser() throws Exception {
        // given
        send(queue(), bytes(1, 5 * MIB));
        send(queue(), bytes(2, 10));

        // when
        List<Message> shown;
        try (QueueBrowser browser = session.createBrowser(queue(), "length > 0")) {
            shown = shown(browser);
        }

        // then
        assertThat(shown).hasSize(2);
        BytesMessage large = (BytesMessage) shown.getFirst();
        assertThat(large.getBodyLength()).isEqualTo(5 * MIB);
        assertThat(large.getIntProperty("length")).isEqualTo(5 * MIB);
        assertThatThrownBy(large::readByte)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("headers");
        assertThat(body((BytesMessage) shown.get(1))).isEqualTo(bytes(2, 10));
        assertThat(body(receive(session.createConsumer(queue(), "length > 100"))))
                .isEqualTo(bytes(1, 5 * MIB));
    }

    @Test
    void shouldBringAMessageToStoredSubscriptionsOfATopic() throws Exception {
        // given
        Topic topic = session.createTopic("files");
        MessageConsumer all = session.createSharedDurableConsumer(topic, "all");
        MessageConsumer some = session.createSharedDurableConsumer(topic, "some", "length > 0");
        MessageConsumer none = session.createSharedDurableConsumer(topic, "none", "length = 0");

        // when
        session.createProducer(topic).send(message(session, bytes(1, 5 * MIB)));

        // then
        assertThat(body(receive(all))).isEqualTo(bytes(1, 5 * MIB));
        assertThat(body(receive(some))).isEqualTo(bytes(1, 5 * MIB));
        JmsBroker.expectNothing(none);
    }

    @Test
    void shouldBringAMessageToATemporaryQueue() throws Exception {
        // given
        Queue temporary = session.createTemporaryQueue();

        // when
        send(temporary, bytes(1, 5 * MIB));

        // then
        assertThat(body(receive(session.createConsumer(temporary)))).isEqualTo(bytes(1, 5 * MIB));
    }
}
