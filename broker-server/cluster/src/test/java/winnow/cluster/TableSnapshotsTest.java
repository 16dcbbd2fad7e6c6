package winnow.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableSnapshotsTest {
    @TempDir private Path directory;

    private final AtomicLong now = new AtomicLong(-7);
    private final TableSnapshots snapshots = new TableSnapshots(now::get);

    @BeforeEach
    void init() throws IOException {
        snapshots.init(directory.toFile());
    }

    private void make(int index) throws IOException {
        Path made = Files.createDirectory(directory.resolve("snapshot.1_" + index));
        Files.writeString(made.resolve("rows"), "of " + index);
    }

    private List<String> cleaned() throws IOException {
        snapshots.cleanupOldSnapshots(new SnapshotRetentionPolicy() {});
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private SnapshotInfo newest() {
        return Objects.requireNonNull(snapshots.getLatestSnapshot());
    }

    @Test
    void shouldKeepTheNewest() throws IOException {
        // given
        make(10);
        make(20);
        make(30);
        assertThat(newest().getIndex()).isEqualTo(30);

        // when, then
        assertThat(cleaned()).containsExactly("snapshot.1_20", "snapshot.1_30");
        assertThat(snapshots.newestBytes()).isEqualTo("of 30".length());
    }

    @Test
    void shouldKeepWhatIsBeingSent() throws IOException {
        // given
        make(10);
        make(20);
        SnapshotInfo sent = newest();
        sent.getFiles();
        make(30);
        SnapshotInfo alsoSent = newest();
        make(40);
        make(50);

        // when
        now.addAndGet(TimeUnit.SECONDS.toNanos(50));
        alsoSent.getFiles();
        sent.getFiles();
        now.addAndGet(TimeUnit.SECONDS.toNanos(50));

        // then
        assertThat(cleaned())
                .containsExactly(
                        "snapshot.1_20", "snapshot.1_30", "snapshot.1_40", "snapshot.1_50");

        // when
        now.addAndGet(TimeUnit.SECONDS.toNanos(11));

        // then
        assertThat(cleaned()).containsExactly("snapshot.1_40", "snapshot.1_50");
    }
}
