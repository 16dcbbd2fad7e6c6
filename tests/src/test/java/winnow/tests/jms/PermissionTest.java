package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.security.UserFileWriter;
import winnow.client.WinnowConnectionFactory;
import winnow.tests.RunningBroker;

/// What applications see of permissions.
class PermissionTest {
    private static final String RULES =
            """
            rules:
              - {who: root, may: admin}
              - {who: ann, may: send, queues: "requests"}
              - {who: ann, may: temporary}
              - {who: ann, may: [send, receive], topics: "prices"}
              - {who: ann, may: identify, clients: "${user}"}
              - {who: ann, may: subscribe, subscriptions: "${client}-*"}
              - {who: service, may: receive, queues: "requests"}
            """;

    private final Path permissions;
    private final RunningBroker broker;
    private final List<Connection> connections = new ArrayList<>();

    PermissionTest(@TempDir Path directory) throws IOException {
        permissions = Files.writeString(directory.resolve("permissions.yaml"), RULES);
        Path users = directory.resolve("users");
        for (String user : List.of("ann", "service", "root")) {
            UserFileWriter.put(users, user, user);
        }
        broker =
                new RunningBroker(
                        Map.of(
                                "security.users",
                                users.toString(),
                                "security.permissions",
                                permissions.toString()));
    }

    @AfterEach
    void stop() throws JMSException {
        for (Connection one : connections) {
            one.close();
        }
        broker.close();
    }

    private Connection connect(String user) throws JMSException {
        Connection connection =
                new WinnowConnectionFactory(broker.url()).createConnection(user, user);
        connections.add(connection);
        return connection;
    }

    private void reload(String rules) throws Exception {
        Files.writeString(permissions, rules);
        String basic =
                Base64.getEncoder().encodeToString("root:root".getBytes(StandardCharsets.UTF_8));
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:" + broker.httpPort() + "/api/v1/reload"))
                        .header("Authorization", "Basic " + basic)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    @Test
    void shouldCheckEachDestinationOfAnAnonymousProducer() throws Exception {
        // given
        Session session = connect("ann").createSession();
        MessageProducer producer = session.createProducer(null);
        Queue requests = session.createQueue("requests");
        Queue other = session.createQueue("other");

        // then
        producer.send(requests, session.createTextMessage("a"));
        assertThatThrownBy(() -> producer.send(other, session.createTextMessage("b")))
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("user 'ann' may not send to queue 'other'");
        producer.send(requests, session.createTextMessage("c"));
        assertThatThrownBy(() -> session.createConsumer(requests))
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("user 'ann' may not receive from queue 'requests'");
    }

    @Test
    void shouldAnswerRequestsWithoutARuleForEachOfThem() throws Exception {
        // given
        Connection ann = connect("ann");
        ann.start();
        Session asking = ann.createSession();
        TemporaryQueue replies = asking.createTemporaryQueue();
        TextMessage request = asking.createTextMessage("?");
        request.setJMSReplyTo(replies);
        MessageConsumer answers = asking.createConsumer(replies);
        asking.createProducer(asking.createQueue("requests")).send(request);

        // when
        Connection service = connect("service");
        service.start();
        Session answering = service.createSession();
        TextMessage asked =
                (TextMessage)
                        answering.createConsumer(answering.createQueue("requests")).receive(20_000);
        answering
                .createProducer(null)
                .send(asked.getJMSReplyTo(), answering.createTextMessage("!"));

        // then
        assertThat(((TextMessage) answers.receive(20_000)).getText()).isEqualTo("!");
        assertThatThrownBy(() -> answering.createTemporaryQueue())
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void shouldEndAConnectionThatLosesARight() throws Exception {
        // given
        Connection ann = connect("ann");
        BlockingQueue<JMSException> told = new ArrayBlockingQueue<>(10);
        ann.setExceptionListener(told::add);
        Session session = ann.createSession(true, Session.SESSION_TRANSACTED);
        session.createProducer(session.createQueue("requests"))
                .send(session.createTextMessage("a"));

        // when
        reload(RULES.replace("queues: \"requests\"", "queues: \"nothing\""));

        // then
        assertThat(told.poll(20, TimeUnit.SECONDS))
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("permissions were read again: user 'ann' may not send to");
        assertThatThrownBy(session::commit).isInstanceOf(JMSException.class);
        reload(RULES);
        Connection service = connect("service");
        service.start();
        Session receiving = service.createSession();
        assertThat(receiving.createConsumer(receiving.createQueue("requests")).receive(200))
                .isNull();
    }

    @Test
    void shouldKeepDurableSubscriptionsToTheirClients() throws Exception {
        // given
        Connection ann = connect("ann");
        ann.setClientID("ann");
        Session session = ann.createSession();

        // then
        session.createDurableConsumer(session.createTopic("prices"), "ann-s").close();
        assertThatThrownBy(() -> session.createDurableConsumer(session.createTopic("prices"), "x"))
                .isInstanceOf(JMSSecurityException.class);
        session.unsubscribe("ann-s");
        assertThatThrownBy(() -> connect("service").setClientID("ann"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("may not take client identifier 'ann'");
    }
}
