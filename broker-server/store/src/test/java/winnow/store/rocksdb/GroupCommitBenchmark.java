package winnow.store.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.Table;

/// Measures synced appends of 1 KiB by producers that wait for each: [RocksShardLog], and as the
/// floor the same group commit into a bare file, in turn in one process. `tests/store` runs it.
///
/// One thread appends for all producers, as the owner of a shard does: a completion appends that
/// producer's next batch.
public final class GroupCommitBenchmark {
    private static final int VALUE_BYTES = 1024;

    private final Path directory;
    private final int seconds;

    private GroupCommitBenchmark(Path directory, int seconds) {
        this.directory = directory;
        this.seconds = seconds;
    }

    private interface Appender {
        void append(Batch batch, Completion completion);
    }

    /// @param arguments directory on the disk to measure, seconds of each measurement, rounds
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        int seconds = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        var benchmark = new GroupCommitBenchmark(directory, seconds);
        System.out.println("| producers | log | appends/s | p50 µs | p99 µs | of the floor |");
        System.out.println("|---|---|---|---|---|---|");
        new GroupCommitBenchmark(directory, 2).measureBoth(10, false);
        for (int round = 0; round < rounds; round++) {
            for (int producers : new int[] {1, 10, 50}) {
                benchmark.measureBoth(producers, true);
            }
        }
    }

    private void measureBoth(int producers, boolean print) throws Exception {
        Result floor = measureFile(producers);
        Result log = measureLog(producers);
        if (print) {
            print(producers, "bare file", floor, floor);
            print(producers, "RocksShardLog", log, floor);
        }
    }

    private static void print(int producers, String name, Result result, Result floor) {
        System.out.printf(
                "| %d | %s | %.0f | %.0f | %.0f | %.2f |%n",
                producers,
                name,
                result.perSecond,
                result.p50Micros,
                result.p99Micros,
                result.perSecond / floor.perSecond);
    }

    private Result measureLog(int producers) throws Exception {
        Path store = directory.resolve("store");
        try (var executor = Executors.newSingleThreadExecutor();
                RocksShardLog log = RocksShardLog.open(store, executor, RocksSettings.defaults())) {
            return new Run(producers, executor)
                    .measure((batch, completion) ->
                            log.append(batch, Durability.SYNCED, completion));
        } finally {
            delete(store);
        }
    }

    /// The bytes of each group are copied into one buffer and written by one call.
    private Result measureFile(int producers) throws Exception {
        Path path = directory.resolve("bare");
        try (var executor = Executors.newSingleThreadExecutor();
                FileChannel file =
                        FileChannel.open(
                                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(8 << 20);
            byte[] value = new byte[VALUE_BYTES + 100];
            Committer committer =
                    new Committer(
                            (group, durability) -> {
                                buffer.clear();
                                group.forEach(batch -> buffer.put(value));
                                writeAndSync(file, buffer.flip());
                            },
                            executor,
                            RocksSettings.defaults().groupBytes());
            committer.start();
            Result result =
                    new Run(producers, executor)
                            .measure((batch, completion) ->
                                    committer.append(batch, Durability.SYNCED, completion));
            committer.close();
            return result;
        } finally {
            Files.deleteIfExists(path);
        }
    }

    private static void writeAndSync(FileChannel file, ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(false);
        } catch (IOException e) {
            throw new LogException(Reason.IO, e.toString(), e);
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(directory)) {
            paths = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }

    private record Result(double perSecond, double p50Micros, double p99Micros) {}

    /// Producers that append until the time is over; all on the thread of the executor.
    private final class Run {
        private final byte[] value = new byte[VALUE_BYTES];
        private final int producers;
        private final Executor executor;
        private final CountDownLatch ended;
        private long[] nanos = new long[1 << 16];
        private long started;
        private int appends;
        private long end;

        Run(int producers, Executor executor) {
            this.producers = producers;
            this.executor = executor;
            ended = new CountDownLatch(producers);
            new java.util.Random(1).nextBytes(value);
        }

        Result measure(Appender log) throws InterruptedException {
            long start = System.nanoTime();
            end = start + seconds * 1_000_000_000L;
            for (int i = 0; i < producers; i++) {
                executor.execute(() -> append(log));
            }
            ended.await();
            long[] sorted = Arrays.copyOf(nanos, appends);
            Arrays.sort(sorted);
            return new Result(
                    appends * 1e9 / (System.nanoTime() - start),
                    micros(sorted, 0.5),
                    micros(sorted, 0.99));
        }

        private static double micros(long[] sortedNanos, double share) {
            return sortedNanos[(int) (share * (sortedNanos.length - 1))] / 1000.0;
        }

        private void append(Appender log) {
            Batch batch = new Batch(VALUE_BYTES + 64);
            byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(started++).array();
            batch.put(Table.HEADERS, key, value);
            long start = System.nanoTime();
            log.append(
                    batch,
                    new Completion() {
                        @Override
                        public void onWritten() {
                            onAppended(log, start);
                        }

                        @Override
                        public void onFailed(LogException failure) {
                            failure.printStackTrace();
                            System.exit(1);
                        }
                    });
        }

        private void onAppended(Appender log, long start) {
            long now = System.nanoTime();
            if (appends == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * appends);
            }
            nanos[appends++] = now - start;
            if (now < end) {
                append(log);
            } else {
                ended.countDown();
            }
        }
    }
}
