package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.LogException;

/// Writes the logs itself, as RocksDB would, and opens the file again as after a crash.
class LogEndTest {
    private static final int GROUP_BYTES = 100;

    @TempDir private Path store;

    private long nanos = 1;
    private LogEnd end;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectory(StoreDirectory.rocksdb(store));
        end = LogEnd.open(store, () -> nanos);
        begin(7);
        writeSynced(7);
    }

    @AfterEach
    void close() throws IOException {
        end.close();
    }

    private Path log(int number) {
        return StoreDirectory.rocksdb(store).resolve("%06d.log".formatted(number));
    }

    /// RocksDB writes a header when it begins a log.
    private void begin(int number) throws IOException {
        Files.write(log(number), new byte[20]);
    }

    private boolean write(int number) throws IOException {
        Files.write(log(number), new byte[GROUP_BYTES], StandardOpenOption.APPEND);
        return end.onWritten();
    }

    private void writeSynced(int number) throws IOException {
        write(number);
        end.onSynced();
    }

    private void check() throws IOException {
        try (LogEnd again = LogEnd.open(store, () -> nanos)) {
            again.check();
        }
    }

    private void refuses(String found) {
        assertThatThrownBy(this::check)
                .isInstanceOf(LogException.class)
                .hasMessageContaining(found + "; confirmed messages would be lost");
    }

    private void truncate(int number) throws IOException {
        Files.write(log(number), new byte[20]);
    }

    @Test
    void shouldKnowANewLogAfterGroupsThatWereNotSynced() throws IOException {
        // given
        write(7);
        begin(8);

        // when
        writeSynced(8);
        Files.delete(log(8));

        // then
        refuses(
                log(8)
                        + ": expected the newest write-ahead log with at least 120 bytes, found no"
                        + " such file");
    }

    @Test
    void shouldSayThatAGroupHasBegunALog() throws IOException {
        assertThat(write(7)).isFalse();
        begin(8);
        assertThat(write(8)).isTrue();
        assertThat(write(8)).isFalse();
    }

    @Test
    void shouldKnowANewLogWhenItIsSyncedLater() throws IOException {
        // given
        begin(8);
        write(8);

        // when
        writeSynced(8);
        truncate(8);

        // then
        refuses("at least 220 bytes, found 20 bytes");
    }

    @Test
    void shouldKnowTheLengthASecondLaterWhenNothingIsSynced() throws IOException {
        // given
        writeSynced(7);
        nanos += TimeUnit.SECONDS.toNanos(1);

        // when
        write(7);
        Files.write(log(7), new byte[220]);
        check();
        truncate(7);

        // then
        refuses("at least 220 bytes, found 20 bytes");
    }

    @Test
    void shouldKnowTheLengthWhenNothingIsWritten() throws IOException {
        // given
        writeSynced(7);

        // when
        end.onIdle();
        truncate(7);

        // then
        refuses("at least 220 bytes, found 20 bytes");
    }

    @Test
    void shouldKnowNothingMoreThanWasSynced() throws IOException {
        // given
        writeSynced(7);
        write(7);

        // when
        end.onIdle();
        Files.write(log(7), new byte[220]);

        // then
        check();
    }

    @Test
    void shouldNotNeedALogThatWasReplaced() throws IOException {
        // given
        begin(8);
        Files.delete(log(7));

        // when / then
        check();
        writeSynced(8);
        check();
        truncate(8);
        refuses("at least 120 bytes, found 20 bytes");
    }

    @Test
    void shouldNotNeedALogThatIsReplacedWhileItIsSynced() throws IOException {
        // given
        begin(8);
        write(8);

        // when
        begin(9);
        Files.delete(log(8));
        end.onSynced();

        // then
        check();
        Files.delete(log(9));
        refuses("found no such file");
    }
}
