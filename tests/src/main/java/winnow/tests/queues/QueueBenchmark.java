package winnow.tests.queues;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Runs the scenarios with each broker in turn, and prints tables. What fails or takes too long is
/// said on the standard error, and the rest goes on. `tests/queues` runs it.
public final class QueueBenchmark {
    private final BenchmarkOptions options;
    private final Results results = new Results();
    private final List<Contender> contenders = new ArrayList<>();
    private final AtomicReference<@Nullable Stage> current = new AtomicReference<>();
    private final long start = System.nanoTime();

    private QueueBenchmark(BenchmarkOptions options) {
        this.options = options;
    }

    /// @param arguments those of [BenchmarkOptions]
    public static void main(String... arguments) throws Exception {
        BenchmarkOptions options;
        try {
            options = BenchmarkOptions.parse(arguments);
            options.scenarios().forEach(QueueScenario::of);
            if (!Contender.NAMES.containsAll(options.brokers())) {
                throw new IllegalArgumentException(
                        "expected brokers of " + Contender.NAMES + ", found " + options.brokers());
            }
        } catch (IllegalArgumentException e) {
            System.err.println("queues: " + e.getMessage());
            System.exit(2);
            return;
        }
        new QueueBenchmark(options).run();
        // Threads of clients that were given up may be left.
        System.exit(0);
    }

    private void run() throws IOException {
        Files.createDirectories(options.out());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(current.getAndSet(null))));
        for (String name : options.brokers()) {
            try {
                contenders.add(Contender.of(name, options.home()));
            } catch (IOException e) {
                say(name + " is left out, its jars are not there: " + e);
            }
        }
        for (String scenario : options.scenarios()) {
            boolean synced = scenario.equals("synced");
            if (synced) {
                floor("before");
            }
            contenders.forEach(contender -> measure(scenario, contender));
            if (synced) {
                floor("after");
            }
            results.write(options.out().resolve("results.json"));
        }
        String ratios = String.join("\n", Ratios.of(results, options));
        String page = results.tables() + "\n" + ratios + "\n";
        Files.writeString(options.out().resolve("results.md"), page);
        System.out.print(page);
    }

    private void floor(String turn) {
        if (options.floor().isEmpty() || isOver("floor")) {
            return;
        }
        try {
            Floor.measure(options, turn, results);
        } catch (IOException | RuntimeException e) {
            say("the floor failed: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void measure(String scenario, Contender contender) {
        String part = scenario + ", " + contender.name();
        if (isOver(part)) {
            return;
        }
        current.set(null);
        FutureTask<Boolean> task = new FutureTask<>(() -> part(scenario, contender));
        Thread.ofPlatform().daemon().start(task);
        try {
            task.get(options.scenarioLimit().toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            say(part + " failed: " + e.getCause());
        } catch (TimeoutException e) {
            say(part + " is given up after " + options.scenarioLimit());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(current.getAndSet(null));
        }
    }

    private boolean part(String scenario, Contender contender) throws Exception {
        Stage stage = new Stage(options, contender, results);
        current.set(stage);
        stage.start();
        QueueScenario.of(scenario).run(stage);
        return true;
    }

    private static void close(@Nullable Stage stage) {
        if (stage != null) {
            try {
                stage.close();
            } catch (IOException e) {
                say("cleaning up: " + e);
            }
        }
    }

    private boolean isOver(String part) {
        if (System.nanoTime() - start < options.limit().toNanos()) {
            return false;
        }
        say(part + " is left out: " + options.limit() + " are over");
        return true;
    }

    private static void say(String what) {
        System.err.println("queues: " + what);
    }
}
