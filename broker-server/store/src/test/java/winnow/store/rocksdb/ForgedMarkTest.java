package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.store.RecordingCompletion.append;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.Batch;
import winnow.store.Durability;
import winnow.store.Table;

/// A message whose content looks like a group that was written when all before it had been synced.
class ForgedMarkTest {
    private static final byte[] KEY = {1};

    @TempDir private Path temporary;

    /// A whole record of a write-ahead log with such a group, which changes nothing.
    private static byte[] forged() {
        ByteBuffer record = ByteBuffer.allocate(22).order(ByteOrder.LITTLE_ENDIAN);
        record.putShort(4, (short) 15);
        record.put(6, (byte) 1);
        record.put(19, (byte) 3).put(20, (byte) 1).put(21, (byte) 'S');
        CRC32C crc = new CRC32C();
        crc.update(record.array(), 6, 16);
        int value = (int) crc.getValue();
        record.putInt(0, (value >>> 15 | value << 17) + 0xA282EAD8);
        return record.array();
    }

    @Test
    void shouldNotShowThatWhatIsBeforeItWasSynced() throws IOException {
        // given
        Path store = temporary.resolve("store");
        Path copy = temporary.resolve("copy");
        try (RocksShardLog log = open(store)) {
            append(log, batch(new byte[] {1}), Durability.SYNCED).await();
            long synced = Files.size(log(store));
            append(log, batch(forged()), Durability.WRITTEN).await();

            // when the power fails while it is written
            Files.createDirectories(copy.resolve("rocksdb"));
            Files.copy(store.resolve("format"), copy.resolve("format"));
            try (Stream<Path> files = Files.list(store.resolve("rocksdb"))) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve("rocksdb").resolve(file.getFileName()));
                }
            }
            try (RandomAccessFile bytes = new RandomAccessFile(log(copy).toFile(), "rw")) {
                bytes.seek(synced);
                bytes.write(new byte[8]);
            }
        }

        // then
        try (RocksShardLog log = open(copy)) {
            assertThat(log.get(Table.META, KEY)).containsExactly(1);
        }
    }

    @Test
    void shouldKnowTheMarksOfOlderVersions() throws IOException {
        // given three such groups
        Path file = temporary.resolve("000007.log");
        ByteBuffer groups = ByteBuffer.allocate(3 * forged().length);
        groups.put(forged()).put(forged()).put(forged());

        // when the second is damaged
        groups.put(forged().length, (byte) ~groups.get(forged().length));
        Files.write(file, groups.array());

        // then
        RecordFile.Result result = RecordFile.read(file, RecordFile.Content.NEWEST_GROUPS);
        assertThat(result.records()).isEqualTo(1);
        assertThat(result.neededDamaged()).isTrue();
    }

    private static Batch batch(byte[] value) {
        Batch batch = new Batch();
        batch.put(Table.META, KEY, value);
        return batch;
    }

    private static RocksShardLog open(Path directory) {
        return RocksShardLog.open(directory, Runnable::run, RocksSettings.defaults());
    }

    private static Path log(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("rocksdb"))) {
            return files.filter(path -> path.toString().endsWith(".log"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }
}
