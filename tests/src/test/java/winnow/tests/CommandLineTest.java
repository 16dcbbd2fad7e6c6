package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.client.WinnowConnectionFactory;

/// `winnow pub`, `winnow sub` and `winnow load mix` as processes, against a real broker.
class CommandLineTest {
    private static final long TIMEOUT_SECONDS = 60;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir private Path directory = Path.of("");

    private Process start(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "winnow.loadgen.Main"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(directory.resolve("err").toFile()).start();
    }

    private String err() throws IOException {
        return Files.readString(directory.resolve("err"));
    }

    private static int exitCode(Process process) throws InterruptedException {
        boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as("ended in time").isTrue();
        return process.exitValue();
    }

    /// Publishes until the process has ended.
    private static void publishTo(String url, String topic, Process process) {
        try (var connection = new WinnowConnectionFactory(url).createConnection();
                var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                var producer = session.createProducer(session.createTopic(topic))) {
            while (process.isAlive()) {
                producer.send(session.createTextMessage("text"));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    pub t --message m --url http://x | --url: URL 'http://x': expected
                    pub t --message m --property a-b=1 | --property: property 'a-b': expected a name
                    pub t --message m --property 1x=3 | '1x': expected a name that begins with
                    pub t?x=1 --message m | topic 't?x=1': expected the option correlationId
                    sub t --selector x=== | equality is written =, not ===
                    sub t?x=1 | topic 't?x=1': expected the option correlationId
                    """)
    void shouldCallAMisuseAMisuse(String arguments, String message) throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            // when
            String url = arguments.contains("--url") ? "" : " --url " + broker.url();
            int code = exitCode(start((arguments + url).split(" ", -1)));

            // then
            assertThat(err()).contains(message).doesNotContain("java.lang", "Exception");
            assertThat(code).isEqualTo(2);
        }
    }

    @Test
    void shouldRunAMixForATime() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            // when
            Process mix = start("load", "mix", "--url", broker.url(), "--duration", "3s");

            // then
            assertThat(exitCode(mix)).as(err()).isZero();
            assertThat(err().lines().filter(line -> line.contains(": published ")))
                    .singleElement()
                    .asString()
                    .matches("3 s: published [1-9][0-9,]*, received [1-9][0-9,]*");
        }
    }

    @Test
    void shouldEndAMixAtASignal() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of("subscription.buffer", "64KiB"))) {
            // given one whose producer of the slow consumer waits, or soon will
            Process mix = start("load", "mix", "--url", broker.url(), "--rate", "4000");
            awaitMix(mix);

            // when
            mix.destroy();

            // then
            assertThat(exitCode(mix)).as(err()).isZero();
        }
    }

    @Test
    void shouldFailAMixWhoseBrokerGoes() throws Exception {
        Process mix;
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            mix = start("load", "mix", "--url", broker.url());
            awaitMix(mix);
        }
        assertThat(exitCode(mix)).as(err()).isEqualTo(1);
    }

    private void awaitMix(Process mix) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!err().contains("publishing")) {
            assertThat(mix.isAlive()).as(err()).isTrue();
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @Test
    void shouldEndWhenNobodyReadsWhatItPrints() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            // given
            Process sub = start("sub", "t", "--url", broker.url());
            Thread.ofVirtual().start(() -> publishTo(broker.url(), "t", sub));

            // when
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(sub.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(lines.readLine()).isEqualTo("text");
            }

            // then
            assertThat(exitCode(sub)).isZero();
        }
    }

    @Test
    void shouldPublishTextThatLooksLikeAFile() throws Exception {
        // given
        Path file = directory.resolve("file");
        Files.writeString(file, "content");
        try (RunningBroker broker = new RunningBroker(Map.of());
                var connection = new WinnowConnectionFactory(broker.url()).createConnection();
                var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                var consumer = session.createConsumer(session.createTopic("t"))) {
            connection.start();

            // when
            int code = exitCode(start("pub", "t", "--url", broker.url(), "--message", "@" + file));

            // then
            assertThat(code).as(err()).isZero();
            assertThat(consumer.receive(TimeUnit.SECONDS.toMillis(10)).getBody(String.class))
                    .isEqualTo("@" + file);
        }
    }

    @Test
    void shouldPublishAFileAsOneMessage() throws Exception {
        // given
        Path file = Files.writeString(directory.resolve("file"), "one\ntwo\n");
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            String at = " --url " + broker.url();

            // when
            run("pub --queue orders --file " + file + at);

            // then
            assertThat(run("sub --queue orders --timeout 1s" + at)).isEqualTo("one\\ntwo\\n\n");
        }
    }

    @Test
    void shouldPublishEachLineOfItsInputInOrder() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            // given
            String at = " --url " + broker.url();
            List<String> lines = IntStream.range(0, 3_000).mapToObj(i -> "käse " + i).toList();

            // when
            Process pub = start(("pub --queue orders --output json" + at).split(" ", -1));
            pub.outputWriter(StandardCharsets.UTF_8).append(String.join("\n", lines)).close();
            String json = new String(pub.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            // then
            assertThat(exitCode(pub)).as(err()).isZero();
            assertThat(err()).isEqualTo("published 3,000 to the queue orders\n");
            assertThat(json.lines()).hasSize(3_000).last().asString().contains("2999");
            assertThat(run("sub --queue orders --count 3000" + at).lines())
                    .containsExactlyElementsOf(lines);
        }
    }

    @Test
    void shouldRefuseInputThatIsNotUtf8() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            // when
            Process pub = start("pub", "t", "--url", broker.url());
            pub.outputWriter(StandardCharsets.ISO_8859_1).append("good\nkäse\n").close();

            // then
            assertThat(exitCode(pub)).as(err()).isEqualTo(2);
            assertThat(err()).contains("found other bytes in line 2").contains("published 1 to t");
        }
    }

    @Test
    void shouldReceiveOnceWhatWaitsInAQueue() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            // given
            String at = " --url " + broker.url();
            run("pub --queue orders pen" + at);
            String json = run("pub --queue orders ink --no-persistent --output json" + at);

            // when
            String first = run("sub --queue orders --count 1" + at);
            String rest = run("sub --queue orders --timeout 1s" + at);

            // then
            assertThat(json).contains("\"body\":\"ink\"", "\"destination\":\"orders\"");
            assertThat(first).isEqualTo("pen\n");
            assertThat(rest).isEqualTo("ink\n");
        }
    }

    @Test
    void shouldSayThatTheBrokerHasStopped() throws Exception {
        // given
        RunningBroker broker = new RunningBroker(Map.of());
        String url = broker.url() + "?maxReconnectAttempts=0";
        Process sub = start("sub", "prices", "--url", url);
        try {
            awaitErr("receiving from");
        } finally {
            // when
            broker.close();
        }

        // then
        assertThat(exitCode(sub)).as(err()).isEqualTo(3);
        assertThat(err()).contains("winnow: ");
    }

    @Test
    void shouldSayNothingAtCtrlC() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            // given
            Process sub = start("sub", "prices", "--url", broker.url(), "--count", "3");
            awaitErr("receiving from");

            // when
            new ProcessBuilder("kill", "-INT", String.valueOf(sub.pid())).start().waitFor();

            // then
            assertThat(exitCode(sub)).as(err()).isEqualTo(130);
            assertThat(err()).isEqualTo("receiving from prices\n");
        }
    }

    private void awaitErr(String text) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!err().contains(text)) {
            assertThat(System.nanoTime() - deadline).as(text).isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @Test
    void shouldNameFieldsAsTheApiDoes() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of())) {
            // given
            String at = " --url " + broker.url();
            run("pub --queue orders ink --property color=red --type t --correlation-id 7" + at);
            JsonNode browsed = JSON.readTree(page(broker, "/api/v1/queues/orders/messages")).get(0);

            // when
            JsonNode received =
                    JSON.readTree(run("sub --queue orders --count 1 --output json" + at));

            // then
            Set<String> common = new TreeSet<>();
            received.fieldNames().forEachRemaining(common::add);
            common.removeIf(name -> !browsed.has(name));
            assertThat(common)
                    .contains("messageId", "timestamp", "deliveries", "bodyType", "bodyBytes");
            for (String name : common) {
                if (!name.equals("properties")) {
                    assertThat(received.get(name)).as(name).isEqualTo(browsed.get(name));
                }
            }
            assertThat(received.path("properties").path("color"))
                    .isEqualTo(browsed.path("properties").path("color"));
            assertThat(received.get("body")).isEqualTo(browsed.get("bodyStart"));
            Set<String> own = new TreeSet<>();
            received.fieldNames().forEachRemaining(own::add);
            own.removeAll(common);
            assertThat(own).containsExactly("body", "destination");
        }
    }

    private static String page(RunningBroker broker, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + broker.httpPort() + path);
            return http.send(
                            HttpRequest.newBuilder(uri).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void shouldKeepMessagesForADurableSubscriptionUntilItEnds() throws Exception {
        try (RunningBroker broker = new RunningBroker(Map.of());
                var connection = new WinnowConnectionFactory(broker.url()).createConnection();
                var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                var producer = session.createProducer(session.createTopic("prices"))) {
            // given
            String subscription = "sub prices --durable audit --url " + broker.url();
            run(subscription + " --timeout 1ms");
            producer.send(session.createTextMessage("late"));

            // when
            String kept = run(subscription + " --count 1");
            run(subscription + " --unsubscribe");

            // then
            assertThat(kept).isEqualTo("late\n");
            assertThatThrownBy(() -> session.unsubscribe("audit"))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }

    /// What a command prints that ends with 0.
    private String run(String arguments) throws Exception {
        Process process = start(arguments.split(" ", -1));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(exitCode(process)).as(err()).isZero();
        return out;
    }
}
