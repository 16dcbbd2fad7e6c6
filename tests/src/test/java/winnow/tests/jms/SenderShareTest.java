package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.security.UserFile;

/// One user fills the memory of a broker without a directory; another one can go on.
class SenderShareTest {
    private static final int QUEUES = 60;
    private static final int MESSAGES = 300;

    @TempDir private Path directory = Path.of("");

    @Test
    void shouldLeaveMemoryForMessagesOfOthers() throws Exception {
        Path users = directory.resolve("users");
        Files.createFile(
                users,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(users, List.of(UserFile.line("ann", "a"), UserFile.line("bob", "b")));
        Map<String, String> settings =
                Map.of("security.users", users.toString(), "storage.memory", "4MiB");
        try (JmsBroker broker = new JmsBroker(settings);
                Connection greedy = broker.factory("").createConnection("ann", "a");
                Connection other = broker.factory("").createConnection("bob", "b")) {
            // given
            Session filling = greedy.createSession();
            Topic topic = filling.createTopic("unread");
            filling.createSharedDurableConsumer(topic, "nobody").close();
            fill(filling);

            // when
            other.start();
            try (Session session = other.createSession();
                    MessageProducer producer = session.createProducer(session.createQueue("own"));
                    MessageConsumer consumer = session.createConsumer(session.createQueue("own"))) {
                for (int i = 0; i < MESSAGES; i++) {
                    JmsBroker.send(session, producer, "message " + i);

                    // then
                    assertThat(JmsBroker.text(consumer)).isEqualTo("message " + i);
                }
                for (int i = 0; i < MESSAGES; i++) {
                    JmsBroker.send(session, producer, "waits " + i);
                }
                assertThat(JmsBroker.texts(consumer, MESSAGES)).hasSize(MESSAGES);
            }
        }
    }

    /// Sends to many queues and a subscription in turn until all of them refuse.
    private static void fill(Session session) throws JMSException {
        String text = "x".repeat(4000);
        try (MessageProducer producer = session.createProducer(null)) {
            int refused = 0;
            for (int i = 0; refused <= QUEUES; i++) {
                int number = i % (QUEUES + 1);
                try {
                    producer.send(
                            number == QUEUES
                                    ? session.createTopic("unread")
                                    : session.createQueue("unread " + number),
                            session.createTextMessage(text));
                    refused = 0;
                } catch (JMSException e) {
                    assertThat(e).hasMessageContaining("storage.memory");
                    refused++;
                }
            }
        }
    }
}
