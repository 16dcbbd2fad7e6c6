package winnow.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ListeningProgram;
import winnow.client.ScriptedBroker;
import winnow.client.TestMessages;

class ProcessHoldTest {
    private ScriptedBroker broker;

    @BeforeEach
    void listen() throws IOException {
        broker = new ScriptedBroker();
    }

    @AfterEach
    void end() throws IOException {
        broker.close();
    }

    private static boolean isHeld() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("winnow-listening"));
    }

    private Process startProgram() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ListeningProgram.class.getName(),
                        broker.url() + "?maxReconnectAttempts=0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void shouldKeepAProgramRunningUntilItClosesTheConnection() throws Exception {
        // given
        Process program = startProgram();
        try (BufferedReader output = program.inputReader()) {
            assertThat(output.readLine()).isEqualTo("listening");

            // when
            broker.deliver(1, TestMessages.text("hello"));

            // then
            assertThat(output.readLine()).isEqualTo("heard");
            assertThat(program.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void shouldKeepAProgramRunningUntilItHasHeardOfTheLoss() throws Exception {
        // given
        Process program = startProgram();
        try (BufferedReader output = program.inputReader()) {
            assertThat(output.readLine()).isEqualTo("listening");

            // when
            broker.cut();

            // then
            assertThat(output.readLine()).isEqualTo("lost");
            assertThat(program.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void shouldHoldWhileAStartedConnectionHasAListener() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createTopic("t"));
            connection.start();
            Awaiting.until(() -> !isHeld());

            // when, then
            consumer.setMessageListener(message -> {});
            assertThat(isHeld()).isTrue();
            consumer.setMessageListener(null);
            Awaiting.until(() -> !isHeld());
            consumer.setMessageListener(message -> {});
            assertThat(isHeld()).isTrue();
            connection.stop();
            Awaiting.until(() -> !isHeld());
            connection.start();
            assertThat(isHeld()).isTrue();
            session.close();
            Awaiting.until(() -> !isHeld());
        }
    }
}
