package winnow.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.store.RecordingCompletion.append;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.store.LogException.Reason;

/// What every log does.
public abstract class ShardLogContract {
    private ExecutorService executor;
    private ShardLog log;

    /// Opens an empty log.
    protected abstract ShardLog open(ExecutorService executor);

    @BeforeEach
    void openLog() {
        executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "completions"));
        log = open(executor);
    }

    @AfterEach
    void closeLog() throws InterruptedException {
        log.close();
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private List<String> rows(Table table, String from, String to) {
        List<String> rows = new ArrayList<>();
        log.scan(table, bytes(from), bytes(to), (key, value) -> rows.add(text(key, value)));
        return rows;
    }

    private static String text(byte[] key, byte[] value) {
        return new String(key, StandardCharsets.ISO_8859_1)
                + "="
                + new String(value, StandardCharsets.ISO_8859_1);
    }

    @Test
    void shouldReadWhatWasWritten() {
        // given
        Batch batch = new Batch();
        batch.put(Table.HEADERS, bytes("a"), bytes("1"));
        batch.put(Table.BODIES, bytes("a"), bytes("-23-"), 1, 3);
        batch.put(Table.META, bytes("empty"), new byte[0]);

        // when
        append(log, batch);

        // then
        assertThat(log.get(Table.HEADERS, bytes("a"))).isEqualTo(bytes("1"));
        assertThat(log.get(Table.BODIES, bytes("a"))).isEqualTo(bytes("23"));
        assertThat(log.get(Table.META, bytes("empty"))).isEmpty();
        assertThat(log.get(Table.HEADERS, bytes("b"))).isNull();
        assertThat(log.get(Table.PROGRESS, bytes("a"))).isNull();
    }

    @Test
    void shouldMakeChangesInTheirOrderWhetherValuesAreCopiedOrNot() {
        // given
        Batch batch = new Batch();
        batch.putWhole(Table.PARTS, bytes("a"), bytes("1"));
        batch.put(Table.PARTS, bytes("b"), bytes("2"));
        batch.putPassing(Table.PARTS, bytes("c"), bytes("3"));
        batch.putWhole(Table.PARTS, bytes("d"), bytes("4"));
        batch.delete(Table.PARTS, bytes("a"));

        // when
        append(log, batch);

        // then
        assertThat(rows(Table.PARTS, "a", "z")).containsExactly("b=2", "c=3", "d=4");

        // when
        Batch passing = new Batch();
        passing.putPassing(Table.PARTS, bytes("e"), bytes("5"));
        append(log, passing);
        Batch deleting = new Batch();
        deleting.deleteRange(Table.PARTS, bytes("c"), bytes("z"));
        append(log, deleting);

        // then
        assertThat(rows(Table.PARTS, "a", "z")).containsExactly("b=2");
    }

    @Test
    void shouldKeepTablesApart() {
        // given
        Batch batch = new Batch();
        for (Table table : Table.values()) {
            batch.put(table, bytes("key"), bytes(table.name()));
        }

        // when
        append(log, batch);

        // then
        for (Table table : Table.values()) {
            assertThat(rows(table, "", "z")).containsExactly("key=" + table.name());
        }
    }

    @Test
    void shouldScanInUnsignedOrderOfKeys() {
        // given
        Batch batch = new Batch();
        for (String key : List.of("\u00ff", "b", "a\u0080", "a", "a\u0000", "c")) {
            batch.put(Table.HEADERS, bytes(key), bytes("."));
        }
        append(log, batch);

        // when
        List<String> rows = rows(Table.HEADERS, "a", "c");

        // then
        assertThat(rows).containsExactly("a=.", "a\u0000=.", "a\u0080=.", "b=.");
        assertThat(rows(Table.HEADERS, "c", "\u00ff\u0000")).containsExactly("c=.", "\u00ff=.");
        assertThat(rows(Table.HEADERS, "a", "a")).isEmpty();
        assertThat(rows(Table.HEADERS, "c", "a")).isEmpty();
    }

    @Test
    void shouldScanBatchesWholeWhileOthersAreAppended() {
        // given
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> reader =
                CompletableFuture.runAsync(() -> {
                    while (!ended.get()) {
                        List<String> values =
                                rows(Table.HEADERS, "a", "z").stream()
                                        .map(row -> row.substring(row.indexOf('=')))
                                        .toList();
                        assertThat(values.size()).isIn(0, 20);
                        assertThat(values.stream().distinct().count()).isLessThan(2);
                    }
                });

        // when
        for (int i = 0; i < 500; i++) {
            Batch batch = new Batch();
            for (char key = 'a'; key < 'a' + 20; key++) {
                batch.put(Table.HEADERS, bytes(String.valueOf(key)), bytes("" + i));
            }
            append(log, batch);
        }
        ended.set(true);

        // then
        assertThat(reader).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void shouldEndScanWhenNoMoreIsWanted() {
        // given
        Batch batch = new Batch();
        for (String key : List.of("a", "b", "c")) {
            batch.put(Table.HEADERS, bytes(key), bytes("."));
        }
        append(log, batch);
        List<String> rows = new ArrayList<>();

        // when
        log.scan(
                Table.HEADERS,
                bytes("a"),
                bytes("z"),
                (key, value) -> {
                    rows.add(text(key, value));
                    return rows.size() < 2;
                });

        // then
        assertThat(rows).containsExactly("a=.", "b=.");
    }

    @Test
    void shouldApplyChangesOfOneBatchInTheirOrder() {
        // given
        Batch batch = new Batch();
        batch.put(Table.HEADERS, bytes("a"), bytes("1"));
        batch.put(Table.HEADERS, bytes("b"), bytes("1"));
        batch.put(Table.HEADERS, bytes("c"), bytes("1"));
        batch.deleteRange(Table.HEADERS, bytes("a"), bytes("c"));
        batch.put(Table.HEADERS, bytes("b"), bytes("2"));
        batch.delete(Table.HEADERS, bytes("c"));
        batch.put(Table.HEADERS, bytes("d"), bytes("1"));
        batch.put(Table.HEADERS, bytes("d"), bytes("2"));

        // when
        append(log, batch);

        // then
        assertThat(rows(Table.HEADERS, "a", "z")).containsExactly("b=2", "d=2");
    }

    @Test
    void shouldDeleteRangeUpToItsEnd() {
        // given
        Batch batch = new Batch();
        for (String key : List.of("a", "b", "c", "d")) {
            batch.put(Table.HEADERS, bytes(key), bytes("."));
            batch.put(Table.BODIES, bytes(key), bytes("."));
        }
        append(log, batch);
        Batch deletion = new Batch();
        deletion.deleteRange(Table.HEADERS, bytes("b"), bytes("d"));

        // when
        append(log, deletion);
        log.reclaim(Table.HEADERS, bytes("b"), bytes("d"));

        // then
        assertThat(rows(Table.HEADERS, "a", "z")).containsExactly("a=.", "d=.");
        assertThat(rows(Table.BODIES, "a", "z")).hasSize(4);
    }

    @Test
    void shouldCompleteInTheOrderOfAppendsOnTheExecutor() {
        // given
        List<Integer> completed = new ArrayList<>();
        List<String> threads = new ArrayList<>();
        RecordingCompletion last = new RecordingCompletion();

        // when
        for (int i = 0; i < 1000; i++) {
            Batch batch = new Batch();
            batch.put(Table.HEADERS, bytes("key"), bytes("value " + i));
            int number = i;
            log.append(
                    batch,
                    i % 3 == 0 ? Durability.SYNCED : Durability.WRITTEN,
                    new Completion() {
                        @Override
                        public void onWritten() {
                            completed.add(number);
                            threads.add(Thread.currentThread().getName());
                        }

                        @Override
                        public void onFailed(LogException failure) {
                            throw failure;
                        }
                    });
        }
        log.append(new Batch(), Durability.WRITTEN, last);
        last.await();

        // then
        assertThat(completed).hasSize(1000).isSorted();
        assertThat(threads).containsOnly("completions");
        assertThat(log.get(Table.HEADERS, bytes("key"))).isEqualTo(bytes("value 999"));
    }

    @Test
    void shouldCompleteAtCloseWhatWasAppended() {
        // given
        List<RecordingCompletion> completions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Batch batch = new Batch();
            batch.put(Table.HEADERS, bytes("key"), bytes("value " + i));
            completions.add(append(log, batch, Durability.SYNCED));
        }

        // when
        log.close();

        // then
        completions.forEach(RecordingCompletion::await);
    }

    @Test
    void shouldFailWhatIsAppendedAfterClose() {
        // given
        log.close();

        // when
        RecordingCompletion completion = append(log, new Batch(), Durability.WRITTEN);

        // then
        assertThatThrownBy(completion::await)
                .isInstanceOfSatisfying(
                        LogException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
    }

    @Test
    void shouldRefuseRangeThatEndsBeforeItBegins() {
        // given
        Batch batch = new Batch();

        // when / then
        assertThatThrownBy(() -> batch.deleteRange(Table.BODIES, bytes("b"), bytes("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BODIES");
    }
}
