package winnow.tests.young;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import winnow.client.WinnowConnectionFactory;

/// The first seconds of a broker at a steady rate: what they cost, and how long its messages take.
/// The client is warmed up before with a broker of its own. Each message is of 1 KiB, has two
/// properties and goes to one of three selectors' consumers.
public final class FirstSeconds {
    private static final Pattern READY = Pattern.compile("winnow ready: jms=(\\S+) ");
    private static final List<String> REGIONS = List.of("EU", "US", "APAC");
    private static final int WARM_UP_SECONDS = 15;
    private static final int BODY_CHARACTERS = 1024;

    /// A second is at full speed when its messages cost at most this multiple of the last ones'.
    private static final double FULL_SPEED = 1.25;

    private final Path home;
    private final int seconds;

    private FirstSeconds(Path home, int seconds) {
        this.home = home;
        this.seconds = seconds;
    }

    /// @param args the checkout, the seconds, then NAME=OPTIONS for each way to start a broker
    public static void main(String[] args) throws Exception {
        FirstSeconds measurement = new FirstSeconds(Path.of(args[0]), Integer.parseInt(args[1]));
        measurement.measure("", 10_000, WARM_UP_SECONDS);
        System.out.println(
                "| messages/s | archive | ready after ms | CPU ms | p50 µs | p99 µs | p50 µs of the"
                        + " first second | p99 µs | full speed after s |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (int rate : new int[] {1_000, 10_000}) {
            for (String way : List.of(args).subList(2, args.length)) {
                int equals = way.indexOf('=');
                Figures figures =
                        measurement.measure(way.substring(equals + 1), rate, measurement.seconds);
                System.out.println(figures.row(way.substring(0, equals)));
            }
        }
        System.exit(0);
    }

    private static final class Figures {
        private final Duration start;
        private final int rate;

        /// Nanoseconds of each message, in the order in which they were sent.
        private final long[] latencies;

        /// Of the broker, at the end of each second.
        private final Duration[] cpu;

        Figures(Duration start, int rate, int seconds) {
            this.start = start;
            this.rate = rate;
            this.latencies = new long[rate * seconds];
            this.cpu = new Duration[seconds];
        }

        String row(String name) {
            long[] first = Arrays.copyOf(latencies, rate);
            long[] all = latencies.clone();
            Arrays.sort(first);
            Arrays.sort(all);
            return "| %,d | %s | %d | %d | %d | %d | %d | %d | %d |"
                    .formatted(
                            rate,
                            name,
                            start.toMillis(),
                            cpu[cpu.length - 1].toMillis(),
                            micros(all, 0.5),
                            micros(all, 0.99),
                            micros(first, 0.5),
                            micros(first, 0.99),
                            fullSpeed());
        }

        private static long micros(long[] sorted, double part) {
            return TimeUnit.NANOSECONDS.toMicros(sorted[(int) (part * (sorted.length - 1))]);
        }

        /// The second after which all seconds together cost as the last third does.
        private int fullSpeed() {
            int last = cpu.length - 1;
            int third = cpu.length / 3;
            double usual = (double) cpu[last].minus(cpu[last - third]).toNanos() / third;
            int second = last;
            while (second > 0
                    && cpu[second].minus(cpu[second - 1]).toNanos() <= FULL_SPEED * usual) {
                second--;
            }
            return second + 1;
        }
    }

    private Figures measure(String options, int rate, int duration)
            throws IOException, JMSException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(
                                home.resolve("winnow").toString(),
                                "broker",
                                "--port=0",
                                "--http-port=0")
                        .redirectErrorStream(true);
        builder.environment().put("WINNOW_BROKER_OPTS", options);
        long begin = System.nanoTime();
        Process broker = builder.start();
        try {
            BufferedReader lines = broker.inputReader();
            String address = address(lines);
            Duration start = Duration.ofNanos(System.nanoTime() - begin);
            try (Connection connection =
                    new WinnowConnectionFactory("winnow://" + address).createConnection()) {
                return run(connection, broker.toHandle(), start, rate, duration);
            }
        } finally {
            broker.toHandle().destroy();
            broker.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static String address(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                return ready.group(1);
            }
        }
        throw new IOException("the broker ended before it was ready");
    }

    private static Figures run(
            Connection connection, ProcessHandle broker, Duration start, int rate, int seconds)
            throws JMSException {
        Figures figures = new Figures(start, rate, seconds);
        long[] latencies = figures.latencies;
        for (String region : REGIONS) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createTopic("young"), "region = '" + region + "'")
                    .setMessageListener(message -> received(message, latencies));
        }
        connection.start();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createTopic("young"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        String body = "x".repeat(BODY_CHARACTERS);
        long interval = TimeUnit.SECONDS.toNanos(1) / rate;
        long due = System.nanoTime();
        for (int i = 0; i < latencies.length; i++) {
            due += interval;
            for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
                LockSupport.parkNanos(due - now);
            }
            Message message = session.createTextMessage(body);
            message.setStringProperty("region", REGIONS.get(i % REGIONS.size()));
            message.setIntProperty("number", i);
            // From when it was due: a broker that holds its producer back makes messages late.
            latencies[i] = -due;
            producer.send(message);
            if ((i + 1) % rate == 0) {
                figures.cpu[i / rate] = broker.info().totalCpuDuration().orElse(Duration.ZERO);
            }
        }
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        for (long latency : latencies) {
            if (latency < 0) {
                throw new IllegalStateException("a message has not arrived within a second");
            }
        }
        return figures;
    }

    private static void received(Message message, long[] latencies) {
        try {
            latencies[message.getIntProperty("number")] += System.nanoTime();
        } catch (JMSException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
