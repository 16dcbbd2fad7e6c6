package winnow.store.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.Table;

/// Measures synced appends of 1 KiB by producers that wait for each: [RocksShardLog], and as the
/// floor the same group commit into a bare file, in turn in one process. Prints medians of the
/// measurements. `tests/store` runs it.
///
/// One thread appends for all producers, as the owner of a shard does: a completion appends that
/// producer's next batch.
public final class GroupCommitBenchmark {
    private static final int VALUE_BYTES = 1024;

    private static final int GROUP_BYTES = RocksSettings.defaults().groupBytes();

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final long sliceNanos;

    private GroupCommitBenchmark(Duration slice) {
        sliceNanos = slice.toNanos();
    }

    private interface Appender {
        void append(Batch batch, Completion completion);
    }

    /// @param arguments directory on the disk to measure, milliseconds of each measurement, how
    ///   often each is made
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        int slices = Integer.parseInt(arguments[2]);
        var benchmark = new GroupCommitBenchmark(Duration.ofMillis(Integer.parseInt(arguments[1])));
        try (FileChannel file = newFile(directory.resolve("bare"));
                RocksShardLog log =
                        RocksShardLog.open(
                                directory.resolve("store"),
                                benchmark.executor,
                                RocksSettings.defaults())) {
            Committer bare =
                    new Committer(
                            new BareWriter(file),
                            benchmark.executor,
                            GROUP_BYTES,
                            LogEnd.INTERVAL_NANOS);
            bare.start();
            benchmark.compare(
                    (batch, completion) -> bare.append(batch, Durability.SYNCED, completion),
                    (batch, completion) -> log.append(batch, Durability.SYNCED, completion),
                    slices);
            bare.close();
        }
        benchmark.executor.shutdown();
    }

    private static FileChannel newFile(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private void compare(Appender bare, Appender log, int slices) throws InterruptedException {
        new Run(50).measure(bare);
        new Run(50).measure(log);
        System.out.println("| producers | log | msg/s | p50 us | p99 us | of the floor | file B |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (int producers : new int[] {1, 10, 50}) {
            List<Result> ofFile = new ArrayList<>();
            List<Result> ofLog = new ArrayList<>();
            List<Double> ratios = new ArrayList<>();
            for (int slice = 0; slice < slices; slice++) {
                ofFile.add(new Run(producers).measure(bare));
                ofLog.add(new Run(producers).measure(log));
                ratios.add(ofLog.getLast().perSecond / ofFile.getLast().perSecond);
            }
            print(producers, "bare file", ofFile, 1);
            print(producers, "store's log", ofLog, median(ratios));
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static void print(int producers, String name, List<Result> results, double ratio) {
        System.out.printf(
                "| %d | %s | %.0f | %.0f | %.0f | %.2f | %.0f |%n",
                producers,
                name,
                median(results.stream().map(Result::perSecond).toList()),
                median(results.stream().map(Result::p50Micros).toList()),
                median(results.stream().map(Result::p99Micros).toList()),
                ratio,
                median(results.stream().map(Result::bytesWritten).toList()));
    }

    /// What this process has had written to files, in bytes; 0 where the system does not tell.
    private static long bytesWritten() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/io"))) {
            return lines.filter(line -> line.startsWith("write_bytes:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }

    /// Writes a group by one call, and syncs.
    private static final class BareWriter implements Committer.GroupWriter {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(2 * GROUP_BYTES);
        private final byte[] record = new byte[VALUE_BYTES + 40];
        private final FileChannel file;

        BareWriter(FileChannel file) {
            this.file = file;
        }

        @Override
        public void write(List<Batch> group, Durability durability) {
            buffer.clear();
            group.forEach(batch -> buffer.put(record));
            buffer.flip();
            try {
                while (buffer.hasRemaining()) {
                    file.write(buffer);
                }
                file.force(false);
            } catch (IOException e) {
                throw new LogException(Reason.IO, e.toString(), e);
            }
        }

        @Override
        public void onIdle() {}
    }

    /// @param bytesWritten to files, per append
    private record Result(
            double perSecond, double p50Micros, double p99Micros, double bytesWritten) {}

    /// Producers that append until the time is over; all on the thread of the executor.
    private final class Run {
        private final byte[] value = new byte[VALUE_BYTES];
        private final int producers;
        private final CountDownLatch ended;
        private long[] nanos = new long[1 << 16];
        private long started = System.nanoTime();
        private int appends;
        private long end;

        Run(int producers) {
            this.producers = producers;
            ended = new CountDownLatch(producers);
            new java.util.Random(1).nextBytes(value);
        }

        Result measure(Appender log) throws InterruptedException {
            long bytes = bytesWritten();
            long start = System.nanoTime();
            end = start + sliceNanos;
            for (int i = 0; i < producers; i++) {
                executor.execute(() -> append(log));
            }
            ended.await();
            long[] sorted = Arrays.copyOf(nanos, appends);
            Arrays.sort(sorted);
            return new Result(
                    appends * 1e9 / (System.nanoTime() - start),
                    micros(sorted, 0.5),
                    micros(sorted, 0.99),
                    (bytesWritten() - bytes) / (double) appends);
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
