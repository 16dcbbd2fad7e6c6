package winnow.tests.benchmark.hold;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.tests.benchmark.rows.RowsBenchmark;

/// Measures how long an event loop of a broker is held while a producer's messages are matched with
/// very many selectors: a broker with one loop in this process, and clients with sockets. Prints a
/// table with, before each workload, the same without subscriptions, and a [BareLoop] as the floor.
///
/// Usage: `HoldBenchmark [--cold] [ROW[,ROW] [COUNT[,COUNT]]]`, names of
/// [winnow.tests.benchmark.rows.Row]s or `PATTERNS`, and numbers of selectors. With `--cold` it
/// measures from the first message on, for a short time, and nothing before it.
public final class HoldBenchmark {
    private static final String TOPIC = "hold";

    /// No connection may have more than 65,536 subscriptions.
    private static final int SUBSCRIBERS = 16;

    /// Until code is compiled: a method that is not runs for some milliseconds instead of 50 µs.
    private static final long WARM_UP_MILLIS = 20_000;

    private static final long TIME_MILLIS = 20_000;
    private static final long CONTROL_MILLIS = 6_000;
    private static final long COLD_MILLIS = 3_000;
    private static final String COLD = "--cold";
    private static final long POLL_MILLIS = 10;
    private static final int STACKS = 8;
    private static final double NEARLY_ALL = 99.9;
    private static final Map<String, String> SETTINGS =
            Map.of(
                    "transport.event-loops", "1",
                    "session.heartbeat", "0s",
                    "destination.slow-consumers", "*=block",
                    "session.max-subscriptions", "65536",
                    "session.max-selector-characters", "1000000000",
                    "session.metadata.total", "64GiB",
                    "session.metadata.connection", "64GiB");
    private static final List<String> COLUMNS =
            List.of(
                    "selectors",
                    "n",
                    "messages/s",
                    "wait p50 µs",
                    "p99 µs",
                    "p99.9 µs",
                    "longest µs",
                    "hold p50 µs",
                    "p99 µs",
                    "p99.9 µs",
                    "longest µs",
                    "above 1 ms",
                    "longest reading µs",
                    "longest tasks µs",
                    "GC pauses",
                    "longest pause µs");

    private final HoldWorkload workload;
    private final Broker broker;

    private HoldBenchmark(HoldWorkload workload, Broker broker) {
        this.workload = workload;
        this.broker = broker;
    }

    public static void main(String[] all) throws Exception {
        boolean cold = all.length > 0 && all[0].equals(COLD);
        String[] arguments = cold ? Arrays.copyOfRange(all, 1, all.length) : all;
        System.out.println("| " + String.join(" | ", COLUMNS) + " |");
        System.out.println("|---".repeat(COLUMNS.size()) + "|");
        for (String name : names(arguments)) {
            for (int count : RowsBenchmark.counts(arguments, HoldWorkload.usualCount(name))) {
                try (Broker broker =
                        new Broker(
                                BrokerConfig.of(SETTINGS),
                                InetAddress.getLoopbackAddress(),
                                0,
                                0)) {
                    new HoldBenchmark(HoldWorkload.of(name, count), broker).run(cold);
                }
            }
        }
        System.exit(0);
    }

    private static List<String> names(String[] arguments) {
        return arguments.length > 0
                ? List.of(arguments[0].split(",", -1))
                : List.of("MIXED", "RANGES", "ALTERNATIVES", "FEW_VALUES", HoldWorkload.PATTERNS);
    }

    private void run(boolean cold) throws Exception {
        if (!cold) {
            measure(0, CONTROL_MILLIS, CONTROL_MILLIS);
            measureBareLoop();
        }
        List<HoldClient> subscribers = new ArrayList<>();
        try {
            subscribe(subscribers);
            int count = workload.selectors().size();
            if (cold) {
                measure(count, 0, COLD_MILLIS);
            } else {
                measure(count, WARM_UP_MILLIS, TIME_MILLIS);
            }
            for (HoldClient subscriber : subscribers) {
                subscriber.check();
            }
        } finally {
            for (HoldClient subscriber : subscribers) {
                subscriber.close();
            }
        }
    }

    private void subscribe(List<HoldClient> subscribers) throws Exception {
        List<String> selectors = workload.selectors();
        int each = (selectors.size() + SUBSCRIBERS - 1) / SUBSCRIBERS;
        for (int from = 0; from < selectors.size(); from += each) {
            HoldClient subscriber = new HoldClient(broker.address());
            subscribers.add(subscriber);
            subscriber.subscribe(
                    TOPIC, selectors.subList(from, Math.min(from + each, selectors.size())));
        }
    }

    private static void measureBareLoop() throws Exception {
        try (BareLoop loop = new BareLoop(SUBSCRIBERS);
                GcPauses pauses = new GcPauses()) {
            loop.run(CONTROL_MILLIS);
            pauses.begin();
            LoopProbe.Times times = loop.run(TIME_MILLIS);
            pauses.stop();
            print("no broker, a bare loop", 0, 0, times, pauses);
        }
    }

    /// @param count of selectors that are there
    private void measure(int count, long warmUpMillis, long millis) throws Exception {
        try (HoldClient producer = new HoldClient(broker.address());
                GcPauses pauses = new GcPauses()) {
            Map<String, Integer> numbers = producer.open(TOPIC, HoldMessages.names(workload));
            List<byte[]> frames = HoldMessages.frames(workload, HoldClient.HANDLE, numbers);
            Thread publishing =
                    Thread.ofPlatform()
                            .name("producer")
                            .daemon()
                            .unstarted(() -> producer.publishAll(frames));
            if (warmUpMillis > 0) {
                publishing.start();
                Thread.sleep(warmUpMillis);
            }
            pauses.begin();
            LoopProbe probe = LoopProbe.begin(broker.loops().all().getFirst());
            while (probe.thread() == null) {
                Thread.sleep(POLL_MILLIS);
            }
            long start = System.nanoTime();
            long before = producer.published();
            if (warmUpMillis == 0) {
                publishing.start();
            }
            LoopProbe.Times times;
            LongHolds holds = new LongHolds(probe);
            try (holds) {
                Thread.sleep(millis);
                times = probe.end();
            }
            double perSecond = (producer.published() - before) * 1e9 / (System.nanoTime() - start);
            pauses.stop();
            producer.check();
            print(workload.title(), count, perSecond, times, pauses);
            holds.longest(times, STACKS).forEach(stack -> System.err.println("held " + stack));
        }
    }

    private static void print(
            String title, int count, double perSecond, LoopProbe.Times times, GcPauses pauses) {
        Histogram holds = times.processor;
        long all = holds.getTotalCount();
        long tooLong = all - holds.getCountBetweenValues(0, LongHolds.LONG_NANOS);
        List<String> cells =
                List.of(
                        title,
                        String.format(Locale.ROOT, "%,d", count),
                        String.format(Locale.ROOT, "%,.0f", perSecond),
                        micros(times.waits.getValueAtPercentile(50)),
                        micros(times.waits.getValueAtPercentile(99)),
                        micros(times.waits.getValueAtPercentile(NEARLY_ALL)),
                        micros(times.waits.getMaxValue()),
                        micros(holds.getValueAtPercentile(50)),
                        micros(holds.getValueAtPercentile(99)),
                        micros(holds.getValueAtPercentile(NEARLY_ALL)),
                        micros(holds.getMaxValue()),
                        String.format(Locale.ROOT, "%,d of %,d", tooLong, all),
                        micros(times.reading.getMaxValue()),
                        micros(times.tasks.getMaxValue()),
                        String.format(Locale.ROOT, "%,d", pauses.count()),
                        micros(pauses.longest().toNanos()));
        System.out.println("| " + String.join(" | ", cells) + " |");
        explain("hold by the clock", times.holds);
        explain("hold by processor time", holds);
        explain("reading", times.reading);
        explain("tasks", times.tasks);
    }

    /// On the other stream, so that the table stays one.
    private static void explain(String what, Histogram nanos) {
        System.err.printf(
                "%s: p50 %s, p99 %s, p99.9 %s, longest %s µs, %d times%n",
                what,
                micros(nanos.getValueAtPercentile(50)),
                micros(nanos.getValueAtPercentile(99)),
                micros(nanos.getValueAtPercentile(NEARLY_ALL)),
                micros(nanos.getMaxValue()),
                nanos.getTotalCount());
    }

    private static String micros(long nanos) {
        return RowsBenchmark.number(nanos / 1e3);
    }
}
