package winnow.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import org.junit.jupiter.api.Test;
import winnow.client.destination.WinnowQueue;
import winnow.client.message.WinnowMessage;
import winnow.client.message.WinnowTextMessage;

class ListenerFailuresTest {
    private static WinnowMessage message(String id) throws JMSException {
        WinnowMessage message = new WinnowTextMessage();
        message.setJMSMessageID(id);
        return message;
    }

    @Test
    void shouldNameTheMessageOnce() throws JMSException {
        ListenerFailures failures = new ListenerFailures(WinnowQueue.parse("orders"));

        assertThat(failures.describe(message("ID:1")))
                .isEqualTo(
                        "a message listener failed for message ID:1 of queue orders, delivery 1");
        assertThat(failures.isFirst(message("ID:1"))).isTrue();
        assertThat(failures.isFirst(message("ID:2"))).isTrue();
        assertThat(failures.isFirst(message("ID:1"))).isFalse();
        assertThat(failures.isFirst(message("ID:2"))).isFalse();
    }

    @Test
    void shouldRememberSomeMessagesOnly() throws JMSException {
        ListenerFailures failures = new ListenerFailures(WinnowQueue.parse("orders"));
        for (int i = 0; i <= 100; i++) {
            assertThat(failures.isFirst(message("ID:" + i))).isTrue();
        }
        assertThat(failures.isFirst(message("ID:100"))).isFalse();
        assertThat(failures.isFirst(message("ID:0"))).isTrue();
    }

    @Test
    void shouldSurviveAListenerThatThrows() throws JMSException {
        ListenerFailures failures = new ListenerFailures(WinnowQueue.parse("orders"));
        WinnowMessage message = message("ID:1");

        assertThat(failures.call(one -> fail(), message)).isFalse();
        assertThat(failures.call(one -> {}, message)).isTrue();
    }

    private static void fail() {
        throw new IllegalArgumentException("made for this test");
    }
}
