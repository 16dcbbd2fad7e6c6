package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.fault.FatalErrors;
import winnow.broker.security.UserFile;
import winnow.wire.frame.ControlFrame;

/// How the process of a broker ends.
class ProcessTest {
    private static final int MANY = 100_000;
    private static final long TIMEOUT_SECONDS = 60;
    private static final Pattern READY = Pattern.compile("winnow ready: jms=.*:(\\d+) http=.*");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String NO_ROOM = "no room";

    @TempDir private Path directory = Path.of("");

    private @Nullable Process started;

    /// A broker of whose heap the test can use up all that is free: at a line on the standard
    /// input.
    static final class Crowded {
        private Crowded() {}

        public static void main(String[] args) throws IOException {
            Thread.ofPlatform().daemon().start(() -> Main.main(args));
            List<Object> kept = new ArrayList<>(MANY);
            Object[] last = new Object[1];
            if (System.in.read() >= 0) {
                System.out.println(NO_ROOM);
                for (int size = 1 << 20; size > 0; size /= 2) {
                    fill(kept, size);
                }
                while (true) {
                    last = chain(last);
                }
            }
        }

        private static void fill(List<Object> kept, int size) {
            try {
                while (kept.size() < MANY) {
                    kept.add(new byte[size]);
                }
            } catch (OutOfMemoryError _) {
                // The next are smaller.
            }
        }

        private static Object[] chain(Object[] last) {
            try {
                return new Object[] {last};
            } catch (OutOfMemoryError _) {
                return last;
            }
        }
    }

    @AfterEach
    void stop() {
        if (started != null) {
            started.destroyForcibly();
        }
    }

    private Process start(String... arguments) throws IOException {
        return start(List.of(), arguments);
    }

    /// @param launcher what the command of the broker is given to, empty for nothing
    private Process start(List<String> launcher, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx48m",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--port=0", "--http-port=0"));
        Process process =
                new ProcessBuilder(command)
                        .redirectError(directory.resolve("err").toFile())
                        .start();
        started = process;
        return process;
    }

    private static InetSocketAddress awaitReady(BufferedReader lines) throws IOException {
        return awaitReady(lines, new ArrayList<>());
    }

    /// @param printed is given the line
    private static InetSocketAddress awaitReady(BufferedReader lines, List<String> printed)
            throws IOException {
        String line = String.valueOf(lines.readLine());
        printed.add(line);
        Matcher ready = READY.matcher(line);
        assertThat(ready.find()).as(line).isTrue();
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(ready.group(1)));
    }

    private int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("has ended").isTrue();
        return process.exitValue();
    }

    @Test
    void shouldEndAtOnceWhenItsHeapIsUsedUp() throws IOException, InterruptedException {
        // given
        Process process = start(Crowded.class.getName());
        try (BufferedReader lines = process.inputReader()) {
            InetSocketAddress address = awaitReady(lines);
            try (TestClient client = new TestClient(address)) {
                client.greet();
                client.open(1, "t");

                // when
                process.outputWriter().append('\n').flush();
                assertThat(lines.readLine()).isEqualTo(NO_ROOM);
                publishUntilClosed(client);
            }

            // then
            assertThat(exitCode(process)).isEqualTo(FatalErrors.EXIT_CODE);
            assertThat(Files.readString(directory.resolve("err")))
                    .contains("winnow broker: ended by a fatal error: java.lang.OutOfMemoryError");
        }
    }

    @Test
    void shouldPrintNothingButJsonIfItsLogIsJson() throws IOException, InterruptedException {
        // given
        Process process = start(Crowded.class.getName(), "--set=log.format=json");
        List<String> printed = new ArrayList<>();
        try (BufferedReader lines = process.inputReader()) {
            InetSocketAddress address = awaitReady(lines, printed);
            try (TestClient client = new TestClient(address)) {
                client.greet();
                client.open(1, "t");

                // when
                process.outputWriter().append('\n').flush();
                assertThat(lines.readLine()).isEqualTo(NO_ROOM);
                publishUntilClosed(client);
            }

            // then
            assertThat(exitCode(process)).isEqualTo(FatalErrors.EXIT_CODE);
        }
        printed.addAll(completeLines(Files.readString(directory.resolve("err"))));
        List<String> messages = new ArrayList<>();
        for (String line : printed) {
            messages.add(JSON.readTree(line).path("message").asText());
        }
        assertThat(messages)
                .anySatisfy(one -> assertThat(one).startsWith("winnow ready: jms=127.0.0.1:"))
                .anySatisfy(one -> assertThat(one).contains("starts: Java"))
                .anySatisfy(one ->
                        assertThat(one)
                                .startsWith("winnow broker: ended by a fatal error: java.lang."));
    }

    /// Without a last line that the end of the process has cut.
    private static List<String> completeLines(String text) {
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private static void publishUntilClosed(TestClient client) {
        try {
            for (int i = 0; i < MANY; i++) {
                client.awaitProducerCredit(1);
                client.publish(1, "", Map.of("name" + i, "value"), "m");
            }
        } catch (IOException _) {
            // The broker has ended.
        }
    }

    @Test
    void shouldExitWithZeroAfterASignal() throws IOException, InterruptedException {
        // given
        Process process = start(Main.class.getName());
        try (BufferedReader lines = process.inputReader()) {
            InetSocketAddress address = awaitReady(lines);
            try (TestClient client = new TestClient(address)) {
                client.greet();

                // when
                process.destroy();

                // then
                assertThat(client.closedByBroker()).isFalse();
            }
        }
        assertThat(exitCode(process)).isZero();
    }

    @Test
    void shouldLogWhoFailedToAuthenticateButNoPassword() throws IOException {
        // given
        Path users = TestUsers.write(directory, UserFile.line("ann", "secret"));
        Process process =
                start(
                        Main.class.getName(),
                        "--set=security.users=" + users,
                        "--set=transport.handshake-timeout=1m");
        try (BufferedReader lines = process.inputReader();
                TestClient client = new TestClient(awaitReady(lines))) {
            // when
            String response = "\0eve\n\0guess";
            client.hello(new ControlFrame.Hello(0, "", "PLAIN", response, 0, "test"));
            client.expect(ControlFrame.Goodbye.class);
        }

        // then
        assertThat(Files.readString(directory.resolve("err")))
                .contains("Authentication of user 'eve?' from 127.0.0.1 failed: user or password")
                .doesNotContain("guess");
    }

    @Test
    void shouldReadSettingsAgainAtAHangup() throws IOException, InterruptedException {
        // given
        Path yaml = Files.writeString(directory.resolve("a.yaml"), "log: {level: warn}\n");
        Process process = start(Main.class.getName(), "--config", yaml.toString());
        try (BufferedReader lines = process.inputReader()) {
            awaitReady(lines);
            assertThat(Files.readString(directory.resolve("err")))
                    .as("the tests run with SIGHUP ignored, as under nohup: run them without")
                    .doesNotContain("SIGHUP was ignored");
            Files.writeString(yaml, "log: {level: info}\ntransport: {event-loops: 7}\n");

            // when
            new ProcessBuilder("kill", "-HUP", String.valueOf(process.pid())).start().waitFor();

            // then
            Path log = directory.resolve("err");
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
            while (!Files.readString(log).contains("again") && System.nanoTime() < deadline) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            assertThat(Files.readString(log))
                    .containsPattern(
                            "INFO .* Settings were read again: 0 users; log.level=info;"
                                    + " needs a restart: transport.event-loops=7")
                    .doesNotContain(" starts: ");
        }
    }

    @Test
    void shouldSayThatItCannotReloadAtAHangupThatIsIgnored() throws IOException {
        // given
        List<String> launcher = List.of("sh", "-c", "trap '' HUP; exec \"$@\"", "sh");

        // when
        Process process = start(launcher, Main.class.getName());
        try (BufferedReader lines = process.inputReader()) {
            awaitReady(lines);
        }

        // then
        assertThat(Files.readString(directory.resolve("err")))
                .containsOnlyOnce("SIGHUP was ignored when the broker was started")
                .contains("POST /api/v1/reload");
    }

    @Test
    void shouldMakeAUserAtItsFirstStartToListenBeyondLoopback() throws Exception {
        // when
        List<String> first = firstStart();
        List<String> second = firstStart();

        // then
        assertThat(first).hasSize(2);
        assertThat(first.getFirst())
                .matches(
                        "winnow first start: made user 'admin' with password '[-0-9a-z]{23}' in "
                                + directory.resolve("users")
                                + "; the password is shown only now");
        assertThat(first.getLast()).matches(READY);
        assertThat(second).singleElement().asString().matches(READY);
    }

    private List<String> firstStart() throws IOException, InterruptedException {
        Process process =
                start(
                        Main.class.getName(),
                        "--bind=0.0.0.0",
                        "--data=" + directory,
                        "--first-user=admin",
                        "--stop-when-ready");
        try (BufferedReader lines = process.inputReader()) {
            List<String> all = lines.readAllLines();
            assertThat(exitCode(process)).isZero();
            return all;
        }
    }

    @Test
    void shouldExitWithTwoIfAnotherStartFailsToo() throws IOException, InterruptedException {
        // given
        Path missing = directory.resolve("missing");

        // then
        assertThat(exitCode(start(Main.class.getName(), "--set", "security.users=" + missing)))
                .isEqualTo(2);
    }
}
