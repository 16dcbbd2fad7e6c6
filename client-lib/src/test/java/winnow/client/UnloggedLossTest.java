package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.log.ClientLog;

/// A lost connection as an application sees it that has no log, and asks for nothing.
class UnloggedLossTest {
    private ScriptedBroker broker;

    @BeforeEach
    void listen() throws IOException {
        broker = new ScriptedBroker();
    }

    @AfterEach
    void end() throws IOException {
        broker.close();
    }

    /// A program without an exception listener: it connects, warns of its second argument if it has
    /// one, and ends when its input does.
    public static void main(String[] arguments) throws JMSException, IOException {
        Connection connection = new WinnowConnectionFactory(arguments[0]).createConnection();
        connection.start();
        if (arguments.length > 1) {
            ClientLog.of(UnloggedLossTest.class).warn(arguments[1]);
        }
        System.out.println("connected");
        System.in.readAllBytes();
        connection.close();
    }

    private Process start(List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classPathWithoutLog()));
        command.addAll(options);
        command.addAll(List.of(UnloggedLossTest.class.getName(), broker.url()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).start();
    }

    private static String classPathWithoutLog() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("slf4j-simple"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private List<String> linesOfLoss(Process program) throws Exception {
        try (BufferedReader output = program.inputReader();
                BufferedReader errors = program.errorReader()) {
            assertThat(output.readLine()).isEqualTo("connected");
            broker.cut();
            List<String> lines = new ArrayList<>();
            String line;
            // Until the warning, or until the end, which comes when the loss has been told.
            while ((line = errors.readLine()) != null) {
                lines.add(line);
                if (line.startsWith("winnow: warnings")) {
                    program.getOutputStream().close();
                }
            }
            assertThat(program.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
            return lines;
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void shouldSayOnTheStandardErrorThatTheConnectionIsLost() throws Exception {
        assertThat(linesOfLoss(start(List.of())))
                .anyMatch(line -> line.startsWith("winnow: connection lost: "))
                .anyMatch(line -> line.contains("-Dwinnow.client.warnings=false"));
    }

    private static List<String> warnings(Process program) throws Exception {
        try (BufferedReader output = program.inputReader();
                BufferedReader errors = program.errorReader()) {
            assertThat(output.readLine()).isEqualTo("connected");
            program.getOutputStream().close();
            return errors.lines().filter(line -> line.startsWith("winnow: ")).toList();
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void shouldSayNothingIfTold() throws Exception {
        assertThat(warnings(start(List.of("-Dwinnow.client.warnings=false"), "told"))).isEmpty();
        assertThat(warnings(start(List.of(), "told"))).contains("winnow: told");
    }
}
