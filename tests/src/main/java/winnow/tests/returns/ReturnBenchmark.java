package winnow.tests.returns;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import winnow.client.WinnowConnectionFactory;

/// Time from the ready line of a broker, which was killed and started again, until clients that
/// have no code for this get their first message: one connection each, with a listener on a queue
/// of its own, in which a message waits that was never acknowledged. Prints one line for each kill.
public final class ReturnBenchmark {
    private static final Pattern READY = Pattern.compile("winnow ready: jms=(\\S+) http=(\\S+).*");
    private static final Pattern ACCEPTED =
            Pattern.compile("^winnow_connections_accepted_total (\\d+)", Pattern.MULTILINE);
    private static final long DEADLINE_NANOS = TimeUnit.MINUTES.toNanos(3);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final List<String> command;
    private final long downMillis;
    private final int clients;
    private final AtomicLongArray firstNanos;
    private final AtomicLong epochNanos = new AtomicLong();
    private String http = "";

    private ReturnBenchmark(List<String> command, int clients, long downMillis) {
        this.command = command;
        this.clients = clients;
        this.downMillis = downMillis;
        firstNanos = new AtomicLongArray(clients);
    }

    /// `LAUNCHER DIRECTORY PORT CLIENTS KILLS DOWN_MILLIS`
    public static void main(String[] args) throws Exception {
        List<String> command =
                List.of(
                        Path.of(args[0]).toAbsolutePath().toString(),
                        "broker",
                        "--port",
                        args[2],
                        "--http-port",
                        "0",
                        "--data",
                        args[1]);
        int kills = Integer.parseInt(args[4]);
        new ReturnBenchmark(command, Integer.parseInt(args[3]), Long.parseLong(args[5]))
                .run("winnow://127.0.0.1:" + args[2], kills);
        System.exit(0);
    }

    private void run(String url, int kills) throws Exception {
        Process broker = start();
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                connections.add(connect(url, i));
            }
            awaitAll(System.nanoTime());
            for (int kill = 1; kill <= kills; kill++) {
                broker.destroyForcibly().waitFor();
                epochNanos.set(System.nanoTime());
                double cpuBefore = cpuSeconds();
                TimeUnit.MILLISECONDS.sleep(downMillis);
                broker = start();
                long ready = System.nanoTime();
                double down = (ready - epochNanos.get()) / 1e9;
                double cpu = cpuSeconds() - cpuBefore;
                awaitAll(ready);
                print(kill, ready, down, cpu);
            }
            for (Connection connection : connections) {
                connection.close();
            }
        } finally {
            broker.destroyForcibly();
        }
    }

    private Process start() throws IOException {
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        BufferedReader lines = process.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                http = ready.group(2);
                return process;
            }
        }
        throw new IOException("the broker ended before it was ready");
    }

    private Connection connect(String url, int number) throws JMSException {
        Connection connection = new WinnowConnectionFactory(url).createConnection();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("return-" + number);
        session.createProducer(queue).send(session.createTextMessage("waits"));
        session.createConsumer(queue)
                .setMessageListener(_ -> firstNanos.set(number, System.nanoTime()));
        connection.start();
        return connection;
    }

    /// Waits until each client has a message of the broker of now.
    private void awaitAll(long since) {
        for (int i = 0; i < clients; i++) {
            while (firstNanos.get(i) - epochNanos.get() <= 0 || firstNanos.get(i) == 0) {
                if (System.nanoTime() - since > DEADLINE_NANOS) {
                    throw new IllegalStateException(
                            "expected a message for each client, client %d has none".formatted(i));
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    private void print(int kill, long ready, double down, double cpu) throws IOException {
        double[] millis = new double[clients];
        for (int i = 0; i < clients; i++) {
            millis[i] = (firstNanos.get(i) - ready) / 1e6;
        }
        Arrays.sort(millis);
        System.out.printf(
                "kill %d: %d clients, %.1f s without a broker (%.2f CPU s in the clients);"
                        + " first message after the ready line: p50 %.0f, p99 %.0f, last %.0f ms;"
                        + " %d connections accepted%n",
                kill,
                clients,
                down,
                cpu,
                millis[clients / 2],
                millis[Math.min(clients - 1, (int) Math.ceil(clients * 0.99) - 1)],
                millis[clients - 1],
                accepted());
    }

    private long accepted() throws IOException {
        try (InputStream page = URI.create("http://" + http + "/metrics").toURL().openStream()) {
            Matcher line =
                    ACCEPTED.matcher(new String(page.readAllBytes(), StandardCharsets.UTF_8));
            if (!line.find()) {
                throw new IOException("expected winnow_connections_accepted_total in /metrics");
            }
            return Long.parseLong(line.group(1));
        }
    }

    private static double cpuSeconds() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                        .getProcessCpuTime()
                / 1e9;
    }
}
