package winnow.broker.subscription;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpilledSegmentsTest {
    private static final int MUCH = 1 << 30;
    private static final long LIMIT = 1 << 20;

    /// Files of 2 MiB.
    private static final int PLACES_OF_PART = 128;

    private final long seed = Long.getLong("winnow.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final BacklogMemory memory = new BacklogMemory(LIMIT);
    private final FakeLoop loop = new FakeLoop(0, memory);
    private final List<Consumer> consumers = new ArrayList<>();
    private final AtomicBoolean full = new AtomicBoolean();

    @TempDir private Path directory;
    private BacklogFile file;

    @BeforeEach
    void open() throws IOException {
        file =
                new BacklogFile(
                        directory.resolve("spill"),
                        64 << 20,
                        path -> open(full.get() ? Path.of("/dev/full") : path),
                        PLACES_OF_PART);
        memory.spillTo(file);
    }

    private static FileChannel open(Path path) throws IOException {
        return FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @AfterEach
    void close() {
        file.close();
    }

    /// A subscription and what it has to get.
    private final class Consumer implements BudgetListener {
        final RecordingTarget target = new RecordingTarget(loop);
        final ArrayDeque<String> expected = new ArrayDeque<>();
        final List<String> lost = new ArrayList<>();
        final int oneIn;
        final Subscription subscription = new Subscription(1, target, false, this, 1000);

        Consumer(int oneIn) {
            this.oneIn = oneIn;
            consumers.add(this);
        }

        @Override
        public boolean holdsBack() {
            return false;
        }

        @Override
        public void onOverBudget(Subscription one) {}

        @Override
        public void onRelieved(Subscription one) {}

        @Override
        public void onLost(Subscription one, String why) {
            lost.add(why);
        }

        void credit(int messages) {
            subscription.onCredit(messages, MUCH);
            check();
        }

        void check() {
            for (String copy : target.copies) {
                assertThat(copy).as("-Dwinnow.seed=" + seed).isEqualTo(expected.poll());
            }
            target.copies.clear();
            target.arrays.clear();
        }
    }

    private void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("-Dwinnow.seed=" + seed).isLessThan(deadline);
            loop.runCommands();
            consumers.forEach(Consumer::check);
            Thread.onSpinWait();
        }
    }

    private byte[] block(int number) {
        int size =
                switch (random.nextInt(200)) {
                    case 0 -> random.nextInt(100_000);
                    case 1, 2, 3 -> random.nextInt(30_000);
                    default -> random.nextInt(300);
                };
        return (number + "/" + "x".repeat(size)).getBytes(US_ASCII);
    }

    private void publish(byte[] block, List<Consumer> to) {
        long number = loop.numberMessages(1);
        for (Consumer one : to) {
            one.expected.add("1:" + new String(block, US_ASCII));
            one.subscription.onMessage(number, block, 0, block.length, 0);
        }
    }

    private void publishSome(int count, Consumer... to) {
        for (int i = 0; i < count; i++) {
            publish((i + "/" + "x".repeat(1000)).getBytes(US_ASCII), List.of(to));
            await(() -> !memory.exhausted());
        }
    }

    @Test
    void shouldLoseAndDoubleAndReorderNothing() {
        // given
        for (int i = 0; i < 12; i++) {
            new Consumer(1 + i * i);
        }

        // when
        long most = 0;
        for (int i = 0; i < 40_000; i++) {
            List<Consumer> to = new ArrayList<>();
            consumers.stream().filter(one -> random.nextInt(one.oneIn) == 0).forEach(to::add);
            publish(block(i), to);
            Consumer one = consumers.get(random.nextInt(consumers.size()));
            int credit = random.nextInt(500);
            if (credit == 0) {
                one.credit(one.expected.size());
            } else if (credit < 30) {
                one.credit(1 + random.nextInt(200));
            }
            if (random.nextInt(500) == 0) {
                loop.waiting().trim();
            }
            await(() -> !memory.exhausted());
            most = Math.max(most, file.usedBytes());
        }

        // then
        assertThat(most).isGreaterThan(LIMIT);
        consumers.forEach(one -> one.credit(MUCH));
        await(() -> consumers.stream().allMatch(one -> one.expected.isEmpty()));
        await(() -> memory.usedBytes() == 0 && file.usedBytes() == 0);
        assertThat(loop.waiting().copies()).isZero();
        assertThat(loop.faultCount()).isZero();
    }

    @Test
    void shouldKeepLargeMessagesInTheFile() {
        // given
        Consumer slow = new Consumer(1);
        for (int i = 0; i < 20; i++) {
            publish((i + "/" + "x".repeat(1_000_000)).getBytes(US_ASCII), List.of(slow));
            await(() -> !memory.exhausted());
        }
        assertThat(file.usedBytes()).isGreaterThan(15_000_000);

        // when
        slow.credit(MUCH);

        // then
        await(() -> slow.expected.isEmpty());
        await(() -> memory.usedBytes() == 0 && file.usedBytes() == 0);
    }

    @Test
    void shouldDeleteFilesThatNobodyNeeds() throws IOException {
        // given
        Consumer slow = new Consumer(1);
        publishSome(12_000, slow);
        await(() -> file.usedBytes() > 8_000_000);
        assertThat(files()).hasSizeGreaterThan(4);

        // when
        slow.credit(9000);
        await(() -> slow.expected.size() <= 3000);

        // then
        await(() -> files().size() <= 3);
        assertThat(file.usedBytes()).isPositive();
        slow.credit(MUCH);
        await(() -> slow.expected.isEmpty() && files().isEmpty());
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.list(directory.resolve("spill"))) {
            return all.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldLetGoWithoutReading() throws IOException {
        // given 10 that wait for the same
        List<Consumer> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(new Consumer(1));
        }
        publishSome(20_000, waiting.toArray(Consumer[]::new));
        assertThat(file.usedBytes()).isGreaterThan(15_000_000);
        try (FileChannel damaging = open(path())) {
            damaging.truncate(0);
        }

        // when
        waiting.forEach(one -> one.expected.clear());
        waiting.forEach(one -> one.subscription.close());

        // then
        await(() -> memory.usedBytes() == 0 && file.usedBytes() == 0);
        assertThat(loop.waiting().copies()).isZero();
    }

    @Test
    void shouldFailOnlyWhoNeedsWhatIsDamaged() throws IOException {
        // given one that waits for what comes first, too, and one for what comes later
        Consumer early = new Consumer(1);
        publishSome(3000, early);
        Consumer late = new Consumer(1);
        publishSome(6000, early, late);
        try (FileChannel damaging = open(path())) {
            damaging.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), 1000);
        }

        // when
        early.credit(MUCH);
        late.credit(MUCH);

        // then
        await(() -> !early.lost.isEmpty() && late.expected.isEmpty());
        assertThat(early.lost).hasSize(1);
        assertThat(early.lost.getFirst()).contains("waiting", "found other bytes");
        assertThat(late.lost).isEmpty();

        // and nothing is left of it
        early.subscription.close();
        await(() -> memory.usedBytes() == 0 && file.usedBytes() == 0);
    }

    private Path path() {
        return directory.resolve("spill").resolve("waiting-0");
    }

    @Test
    void shouldKeepInMemoryWhatAFullDiskDoesNotTake() {
        // given
        full.set(true);
        Consumer slow = new Consumer(1);

        // when
        for (int i = 0; i < 3000; i++) {
            publish((i + "/" + "x".repeat(1000)).getBytes(US_ASCII), List.of(slow));
            loop.runCommands();
        }

        // then
        await(() -> !file.problem().isEmpty());
        assertThat(file.problem()).contains("No space left on device");
        assertThat(file.takes(1)).isFalse();
        assertThat(memory.exhausted()).isTrue();
        assertThat(memory.whyHigh()).contains("the disk takes nothing", "No space left");
        slow.credit(MUCH);
        await(() -> slow.expected.isEmpty() && memory.usedBytes() == 0);
        assertThat(file.usedBytes()).isZero();
    }

    @Test
    void shouldDropWhatHasLeftForTheFile() throws IOException {
        // given
        Consumer slow = new Consumer(1);
        publishSome(5000, slow);
        slow.credit(1);
        try (FileChannel damaging = open(path())) {
            damaging.truncate(0);
        }

        // when
        Subscription.Dropped dropped = slow.subscription.dropOldest(100_000);

        // then without reading
        assertThat(slow.subscription.backlogBytes()).isBetween(50_000L, 100_000L);
        assertThat(dropped.bytes()).isBetween(4_800_000L, 5_300_000L);
        assertThat(slow.lost).isEmpty();
        for (int i = 0; i < dropped.messages(); i++) {
            slow.expected.remove();
        }
        slow.credit(MUCH);
        await(() -> slow.expected.isEmpty());
        await(() -> memory.usedBytes() == 0 && file.usedBytes() == 0);
    }

    @Test
    void shouldLeaveNothingBehindAndLetNobodyElseRead() throws IOException {
        // given
        Path other = directory.resolve("other");
        BacklogFile own = new BacklogFile(other, 64 << 20, 1 << 20);
        BacklogMemory small = new BacklogMemory(LIMIT);
        small.spillTo(own);
        FakeLoop ownLoop = new FakeLoop(0, small);
        Subscription slow =
                new Subscription(
                        1, new RecordingTarget(ownLoop), false, new RecordingListener(), LIMIT);

        // when
        for (int i = 0; i < 2000; i++) {
            slow.onMessage(ownLoop.numberMessages(1), new byte[1000], 0, 1000, 0);
            ownLoop.runCommands();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (own.usedBytes() == 0 && System.nanoTime() < deadline) {
            ownLoop.runCommands();
        }

        // then
        Path waiting = other.resolve("waiting-0");
        assertThat(Files.getPosixFilePermissions(other))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(waiting))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));

        // and when a broker stops, or one starts after a crash
        own.close();
        assertThat(waiting).doesNotExist();
        Files.writeString(waiting, "left by a crash");
        new BacklogFile(other, 64 << 20, 1 << 20).close();
        assertThat(waiting).doesNotExist();
    }
}
