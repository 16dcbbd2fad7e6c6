package winnow.tests.bodies;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import winnow.client.WinnowConnectionFactory;

/// Throughput of large bodies from one producer to one consumer, and what they cost the broker's
/// processor: through a topic, a queue on the disk and a queue in memory, in turns beside a plain
/// relay, so that what disturbs the machine disturbs all. Prints a table of medians.
public final class LargeBodiesBenchmark {
    private static final int MIB = 1 << 20;
    private static final int[] MEBIBYTES = {1, 4, 16, 64};

    /// Messages that are on their way at the same time.
    private static final int AHEAD = 2;

    private static final int WAIT_MILLIS = 120_000;

    private final byte[] piece = new byte[MIB];
    private final int most;

    /// Who brings bodies.
    private record Way(String name, ProcessHandle process, Sending sending) {}

    /// Brings so many bodies of so many mebibytes.
    private interface Sending {
        void run(int count, int mebibytes) throws Exception;
    }

    /// @param rate MB/s
    /// @param cpu milliseconds of the broker's processor time for each MB
    private record Result(double rate, double cpu) {}

    /// @param most mebibytes of each measurement
    private LargeBodiesBenchmark(int most) {
        this.most = most;
        new Random(1).nextBytes(piece);
    }

    /// `RELAY_PID RELAY_PORT DISK_PID DISK_URL MEMORY_PID MEMORY_URL MEBIBYTES ROUNDS`
    public static void main(String[] args) throws Exception {
        LargeBodiesBenchmark benchmark = new LargeBodiesBenchmark(Integer.parseInt(args[6]));
        int port = Integer.parseInt(args[1]);
        List<Way> ways =
                List.of(
                        new Way(
                                "relay",
                                process(args[0]),
                                (n, size) -> benchmark.relay(port, n, size)),
                        new Way(
                                "topic",
                                process(args[2]),
                                (n, size) ->
                                        benchmark.send(
                                                args[3],
                                                true,
                                                DeliveryMode.NON_PERSISTENT,
                                                n,
                                                size)),
                        new Way(
                                "queue in memory",
                                process(args[4]),
                                (n, size) ->
                                        benchmark.send(
                                                args[5], false, DeliveryMode.PERSISTENT, n, size)),
                        new Way(
                                "queue on the disk",
                                process(args[2]),
                                (n, size) ->
                                        benchmark.send(
                                                args[3], false, DeliveryMode.PERSISTENT, n, size)));
        benchmark.measure(ways, Integer.parseInt(args[7]));
        System.exit(0);
    }

    private static ProcessHandle process(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private void measure(List<Way> ways, int rounds) throws Exception {
        System.out.println("| MiB | through | MB/s | of the relay | CPU ms/MB | of the relay |");
        System.out.println("|---|---|---|---|---|---|");
        for (int mebibytes : MEBIBYTES) {
            Map<Way, List<Result>> results = new LinkedHashMap<>();
            for (Way way : ways) {
                run(way, mebibytes);
            }
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < ways.size(); i++) {
                    Way way = ways.get((i + round) % ways.size());
                    results.computeIfAbsent(way, _ -> new ArrayList<>()).add(run(way, mebibytes));
                }
            }
            Result relay = median(results.getOrDefault(ways.getFirst(), List.of()));
            for (Way way : ways) {
                Result result = median(results.getOrDefault(way, List.of()));
                System.out.printf(
                        Locale.ROOT,
                        "| %d | %s | %,.0f | %.2f | %.2f | %.1f |%n",
                        mebibytes,
                        way.name,
                        result.rate,
                        result.rate / relay.rate,
                        result.cpu,
                        result.cpu / relay.cpu);
            }
        }
    }

    private static Result median(List<Result> all) {
        return new Result(
                median(all.stream().mapToDouble(Result::rate).toArray()),
                median(all.stream().mapToDouble(Result::cpu).toArray()));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private Result run(Way way, int mebibytes) throws Exception {
        int count = Math.max(1, most / mebibytes);
        long cpu = cpuNanos(way.process);
        long start = System.nanoTime();
        way.sending.run(count, mebibytes);
        double seconds = (System.nanoTime() - start) / 1e9;
        double megabytes = (double) count * mebibytes * MIB / 1e6;
        return new Result(megabytes / seconds, (cpuNanos(way.process) - cpu) / 1e6 / megabytes);
    }

    private static long cpuNanos(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElseThrow();
    }

    private void relay(int port, int count, int mebibytes) throws Exception {
        long bytes = (long) count * mebibytes * MIB;
        InetAddress host = InetAddress.getLoopbackAddress();
        try (Socket receiving = new Socket(host, port);
                Socket sending = new Socket(host, port)) {
            together(
                    () -> {
                        OutputStream out = sending.getOutputStream();
                        for (long sent = 0; sent < bytes; sent += piece.length) {
                            out.write(piece);
                        }
                    },
                    () -> receive(receiving, bytes));
        }
    }

    private static void receive(Socket from, long bytes) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        InputStream in = from.getInputStream();
        for (long left = bytes; left > 0; ) {
            int size = in.read(buffer);
            if (size < 0) {
                throw new IOException("the relay has ended");
            }
            left -= size;
        }
    }

    private void send(String url, boolean topic, int deliveryMode, int count, int mebibytes)
            throws Exception {
        WinnowConnectionFactory factory = new WinnowConnectionFactory(url);
        Semaphore ahead = new Semaphore(AHEAD);
        try (Connection receiving = factory.createConnection();
                Connection sending = factory.createConnection()) {
            Session session = receiving.createSession();
            Destination from =
                    topic ? session.createTopic("bodies") : session.createQueue("bodies");
            MessageConsumer consumer = session.createConsumer(from);
            receiving.start();
            together(
                    () -> publish(sending, from, deliveryMode, count, mebibytes, ahead),
                    () -> {
                        for (int i = 0; i < count; i++) {
                            BytesMessage message = (BytesMessage) consumer.receive(WAIT_MILLIS);
                            if (message.getBodyLength() != (long) mebibytes * MIB) {
                                throw new IllegalStateException("found " + message);
                            }
                            message.clearBody();
                            ahead.release();
                        }
                    });
        }
    }

    private void publish(
            Connection connection,
            Destination to,
            int deliveryMode,
            int count,
            int mebibytes,
            Semaphore ahead)
            throws JMSException, InterruptedException {
        try (Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(to);
            producer.setDeliveryMode(deliveryMode);
            BytesMessage message = session.createBytesMessage();
            for (int i = 0; i < mebibytes; i++) {
                message.writeBytes(piece);
            }
            for (int i = 0; i < count; i++) {
                ahead.acquire();
                producer.send(message);
            }
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void together(Action... actions)
            throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> begun = new ArrayList<>();
            for (Action action : actions) {
                Callable<Boolean> task =
                        () -> {
                            action.run();
                            return true;
                        };
                begun.add(threads.submit(task));
            }
            for (Future<?> one : begun) {
                one.get();
            }
        }
    }
}
