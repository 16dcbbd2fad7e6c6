package winnow.tests.queues;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// Producers that send a message of 1 KiB to one queue and wait for its confirmation, again and
/// again, while one consumer drains the queue. `tests/compare-clusters` runs it, with a class path
/// for each system.
public final class ConfirmedLoad {
    private static final int BODY_BYTES = 1024;
    private static final int WARM_UP_PRODUCERS = 50;

    /// A consumer that is further behind is said to be.
    private static final double KEPT_UP = 0.9;

    private final QueueAccess queue;
    private final QueueWindow window = new QueueWindow();
    private final LongAdder sent = new LongAdder();
    private volatile boolean timed;
    private volatile boolean stopped;

    private ConfirmedLoad(QueueAccess queue) {
        this.queue = queue;
    }

    /// `CLASS ADDRESS PRODUCERS SECONDS WARM_UP FIRST_WARM_UP`: a [QueueAccess] with a constructor
    /// that takes the address, numbers of producers with commas between, and seconds. Prints a line
    /// for each number: it, messages/s, p50 and p99 of the confirmation in ms.
    public static void main(String... arguments) throws Exception {
        Duration interval = seconds(arguments[3]);
        Duration warmUp = seconds(arguments[4]);
        measure(arguments, WARM_UP_PRODUCERS, seconds(arguments[5]), Duration.ofMillis(1));
        for (String producers : arguments[2].split(",", -1)) {
            String line = measure(arguments, Integer.parseInt(producers), warmUp, interval);
            System.out.println(producers + " " + line);
        }
        // Threads of clients may be left.
        System.exit(0);
    }

    private static Duration seconds(String text) {
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    private static String measure(
            String[] arguments, int producers, Duration warmUp, Duration interval)
            throws Exception {
        try (QueueAccess queue =
                Class.forName(arguments[0])
                        .asSubclass(QueueAccess.class)
                        .getConstructor(String.class)
                        .newInstance(arguments[1])) {
            return new ConfirmedLoad(queue).run(producers, warmUp, interval);
        }
    }

    private String run(int producers, Duration warmUp, Duration interval) throws Exception {
        queue.consume(window::landed);
        List<Latencies> latencies = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            QueueAccess.ConfirmedSender sender = queue.sender();
            Latencies own = new Latencies();
            latencies.add(own);
            threads.add(Thread.ofPlatform().daemon().unstarted(() -> sendQuietly(sender, own)));
        }
        threads.forEach(Thread::start);
        TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
        timed = true;
        long sentBefore = sent.sum();
        long receivedBefore = window.received();
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(interval.toNanos());
        double seconds = (System.nanoTime() - start) / 1e9;
        long count = sent.sum() - sentBefore;
        long received = window.received() - receivedBefore;
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        if (received < KEPT_UP * count && count > producers) {
            System.err.printf("%d producers: sent %d, received %d%n", producers, count, received);
        }
        Latencies all = Latencies.of(latencies);
        return String.format(
                Locale.ROOT,
                "%.0f %.2f %.2f",
                count / seconds,
                all.micros(0.5) / 1000,
                all.micros(0.99) / 1000);
    }

    private void sendQuietly(QueueAccess.ConfirmedSender sender, Latencies own) {
        try {
            send(sender, own);
        } catch (Exception e) {
            e.printStackTrace();
            // A point with fewer producers than it says is none.
            System.exit(1);
        }
    }

    private void send(QueueAccess.ConfirmedSender sender, Latencies own) throws Exception {
        byte[] body = new byte[BODY_BYTES];
        new Random(1).nextBytes(body);
        while (!stopped) {
            if (!window.take()) {
                continue;
            }
            for (int i = 0; i < QueueWindow.LOT && !stopped; i++) {
                long start = System.nanoTime();
                sender.send(body);
                if (timed && !stopped) {
                    own.add(System.nanoTime() - start);
                }
                sent.increment();
            }
        }
    }
}
