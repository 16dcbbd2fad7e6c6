package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowConnectionFactory;
import winnow.tests.RunningBroker;

/// A broker that is asked for a backup while clients send: what was confirmed before is in it.
class BackupTest {
    private static final int PRODUCERS = 3;

    /// Each producer sends so many before, and again after the backup was asked for.
    private static final int MESSAGES = 200;

    private static final byte[] BODY = new byte[2000];

    @TempDir private Path temporary = Path.of("");

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<AtomicInteger> confirmed = new ArrayList<>();

    @Test
    void shouldHoldWhatWasConfirmedBeforeItWasAskedFor() throws Exception {
        // given clients that send, to data files and to the write-ahead log
        Path data = temporary.resolve("data");
        List<Integer> before;
        try (RunningBroker broker = new RunningBroker(settings(data));
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                AtomicInteger last = new AtomicInteger();
                confirmed.add(last);
                int number = i;
                clients.add(threads.submit(() -> send(broker.url(), number, last)));
            }
            try {
                awaitConfirmed(MESSAGES);

                // when
                before = confirmed.stream().map(AtomicInteger::get).toList();
                backUp(broker.httpPort());
                awaitConfirmed(2 * MESSAGES);
            } finally {
                stopped.set(true);
            }
            for (Future<?> client : clients) {
                client.get(1, TimeUnit.MINUTES);
            }
        }

        // then
        Path restored = temporary.resolve("restored");
        restore(data.resolve("backups").resolve("b"), restored);
        try (RunningBroker broker = new RunningBroker(settings(restored))) {
            for (int i = 0; i < PRODUCERS; i++) {
                List<Integer> found = receive(broker.url(), i, before.get(i));
                assertThat(found).startsWith(numbers(before.get(i)));
                assertThat(found).isEqualTo(List.of(numbers(found.size())));
            }
        }
    }

    private static Map<String, String> settings(Path data) {
        return Map.of(
                "storage.directory", data.resolve("store").toString(),
                "storage.write-buffer", "1MiB",
                "storage.write-ahead-log", "1MiB");
    }

    private static Integer[] numbers(int last) {
        Integer[] all = new Integer[last];
        for (int i = 0; i < last; i++) {
            all[i] = i + 1;
        }
        return all;
    }

    private void awaitConfirmed(int messages) {
        List<Integer> goals = confirmed.stream().map(last -> last.get() + messages).toList();
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JmsBroker.DEADLINE_MILLIS);
        for (int i = 0; i < PRODUCERS; i++) {
            while (confirmed.get(i).get() < goals.get(i)) {
                assertThat(System.nanoTime()).as("producers go on").isLessThan(deadline);
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private Void send(String url, int number, AtomicInteger last) throws JMSException {
        try (Connection connection = new WinnowConnectionFactory(url).createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("q" + number));
            while (!stopped.get()) {
                Message message = session.createObjectMessage(BODY);
                message.setIntProperty("number", last.get() + 1);
                producer.send(message);
                last.incrementAndGet();
            }
        }
        return null;
    }

    private static void backUp(int port) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/storage/backups?name=b");
        try (HttpClient client = HttpClient.newHttpClient()) {
            CompletableFuture<HttpResponse<String>> answer =
                    client.sendAsync(
                            HttpRequest.newBuilder(uri)
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> response = answer.get(1, TimeUnit.MINUTES);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            assertThat(response.body()).contains("\"complete\":true");
        }
    }

    /// By the command, as an operator does.
    private static void restore(Path backup, Path data) throws IOException, InterruptedException {
        Path out = Files.createTempFile(backup, "restore", ".txt");
        Process command =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "winnow.broker.cli.StoreCommand",
                                "restore",
                                backup.toString(),
                                "--data",
                                data.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(command.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(command.exitValue()).as(Files.readString(out)).isZero();
    }

    /// @param least so many have to come
    private static List<Integer> receive(String url, int number, int least) throws JMSException {
        List<Integer> found = new ArrayList<>();
        try (Connection connection = new WinnowConnectionFactory(url).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("q" + number));
            while (true) {
                boolean due = found.size() < least;
                Message message =
                        consumer.receive(
                                due ? JmsBroker.DEADLINE_MILLIS : JmsBroker.SILENCE_MILLIS);
                if (message == null) {
                    return found;
                }
                assertThat(message.getJMSRedelivered()).isFalse();
                found.add(message.getIntProperty("number"));
            }
        }
    }
}
