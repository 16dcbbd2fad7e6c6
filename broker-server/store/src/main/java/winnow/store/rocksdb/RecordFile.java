package winnow.store.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32C;

/// Checks the records of a file of RocksDB, without applying them.
///
/// The file is a sequence of blocks of 32 KiB. A record has one piece for each block that it
/// touches; a piece has a header of 7 bytes, little-endian, and ends within its block:
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 4 | CRC-32C of kind and content, masked |
/// | 4 | 2 | length of the content |
/// | 6 | 1 | kind: 1 whole, 2 first, 3 middle, 4 last piece; from 128 on a note of RocksDB |
///
/// Note 130 is at the beginning of a write-ahead log, and tells of the one before: 8 bytes number,
/// 8 bytes size.
///
/// A record of a write-ahead log is a group of batches: 8 bytes sequence number, 4 bytes number of
/// changes, then RocksDB's "log data" (3, length, bytes), then the changes. The data are the mark
/// (see [#AFTER_SYNCED]) and 8 bytes at random, the same in all groups of a file: so no content of
/// a message can pass for a group. Files of older versions have the mark only.
final class RecordFile {
    /// Mark of a group that was written when all groups before it had been synced. Where it can be
    /// read, they must be readable, too.
    static final byte AFTER_SYNCED = 'S';

    /// Mark of a group that was written when the one before it had not been synced.
    static final byte AFTER_UNSYNCED = 'U';

    private static final int TOKEN_BYTES = Long.BYTES;
    private static final int BLOCK_BYTES = 32 * 1024;
    private static final int HEADER_BYTES = 7;
    private static final int LOG_DATA = 3;

    /// Bytes of a group up to and including its mark.
    private static final int MARK_END = 15;

    private static final int WHOLE = 1;
    private static final int FIRST = 2;
    private static final int MIDDLE = 3;
    private static final int LAST = 4;
    private static final int EARLIER = 130;

    private final Content content;
    private final ByteBuffer block =
            ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();

    private long wholeBytes;
    private long records;
    private boolean inRecord;
    private Optional<Damage> damage = Optional.empty();
    private boolean neededDamaged;
    private byte firstMark;

    /// Of the first record.
    private long token;

    private Optional<Earlier> earlier = Optional.empty();

    private RecordFile(Content content) {
        this.content = content;
        neededDamaged = content == Content.OLDER_GROUPS;
    }

    /// Kind of the records of a file, and so which of them a crash may have left unfinished.
    enum Content {
        /// Groups of batches, without a later file: those that were not synced.
        NEWEST_GROUPS,

        /// Groups of batches, with a later file: none.
        OLDER_GROUPS,

        /// Changes of the list of data files, each of them synced: the last one.
        MANIFEST
    }

    /// Contents of a file.
    ///
    /// @param wholeBytes where the last record ends before the damage or the end of the file
    /// @param records whole records before the damage
    /// @param damage the first place that cannot be read
    /// @param neededDamaged whether a crash cannot be the reason of the damage
    /// @param firstMark of the first record, 0 if there is none
    /// @param earlier what a write-ahead log tells of the one before
    record Result(
            long wholeBytes,
            long records,
            Optional<Damage> damage,
            boolean neededDamaged,
            byte firstMark,
            Optional<Earlier> earlier) {}

    /// A write-ahead log as it was when the next one was begun.
    record Earlier(long number, long bytes) {}

    /// @param at byte of the file
    /// @param found what is there
    record Damage(long at, String found) {}

    /// Mark that is written into each group of a file.
    ///
    /// @param mark [#AFTER_SYNCED] or the other
    /// @param token that nobody can guess, not 0
    static byte[] logData(byte mark, long token) {
        return ByteBuffer.allocate(1 + TOKEN_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(mark)
                .putLong(token)
                .array();
    }

    static Result read(Path file, Content content) throws IOException {
        RecordFile reader = new RecordFile(content);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long start = 0; reader.fill(channel, start); start += BLOCK_BYTES) {
                reader.readBlock(start);
            }
            long size = channel.size();
            if (reader.damage.isEmpty() && reader.wholeBytes < size) {
                reader.damaged(size, "the file ends within a record");
            }
        }
        return new Result(
                reader.wholeBytes,
                reader.records,
                reader.damage,
                reader.neededDamaged,
                reader.firstMark,
                reader.earlier);
    }

    private boolean fill(FileChannel channel, long start) throws IOException {
        block.clear();
        while (block.hasRemaining() && channel.read(block, start + block.position()) > 0) {
            // Reads on until the block is full or the file ends.
        }
        block.flip();
        return block.hasRemaining();
    }

    private void readBlock(long start) {
        int at = 0;
        while (block.limit() - at >= HEADER_BYTES) {
            int end = pieceEnd(at);
            if (end > 0 && damage.isEmpty()) {
                onPiece(at, end, start);
            } else if (damage.isEmpty()) {
                damaged(start + at, "no valid record");
            } else if (end > 0) {
                onPieceBehindDamage(at);
            }
            // Behind damage the next piece may begin anywhere.
            at = end > 0 ? end : at + 1;
        }
        endOfBlock(at, start);
    }

    /// Less than a header is left of a block: zeros, if the block is full.
    private void endOfBlock(int at, long start) {
        if (damage.isPresent()) {
            return;
        }
        boolean zeros = block.limit() == BLOCK_BYTES;
        for (int i = at; i < block.limit(); i++) {
            zeros &= block.get(i) == 0;
        }
        if (at < block.limit() && !zeros) {
            damaged(start + at, "no valid record");
        } else if (!inRecord) {
            wholeBytes = start + block.limit();
        }
    }

    /// End of the piece at a place of the block, 0 if there is none or its checksum is wrong.
    private int pieceEnd(int at) {
        int kind = block.get(at + 6) & 0xFF;
        int end = at + HEADER_BYTES + (block.getShort(at + 4) & 0xFFFF);
        if (kind == 0 || (kind > LAST && kind < 128) || end > block.limit()) {
            return 0;
        }
        if (damage.isPresent() && content != Content.MANIFEST && mark(at) == 0) {
            return 0;
        }
        crc.reset();
        crc.update(block.array(), at + 6, end - at - 6);
        int value = (int) crc.getValue();
        int masked = (value >>> 15 | value << 17) + 0xA282EAD8;
        return block.getInt(at) == masked ? end : 0;
    }

    /// Mark of the group that begins at a place of the block, 0 if there is none, or if it is not
    /// one of the file.
    private byte mark(int at) {
        int group = at + HEADER_BYTES;
        int kind = block.get(at + 6);
        int bytes = block.getShort(at + 4) & 0xFFFF;
        boolean found =
                (kind == WHOLE || kind == FIRST)
                        && bytes >= MARK_END
                        && block.get(group + 12) == LOG_DATA
                        && bytes >= MARK_END - 1 + block.get(group + 13);
        if (!found) {
            return 0;
        }
        return switch (block.get(group + 13)) {
            case 1 -> mark(group, 0);
            case 1 + TOKEN_BYTES -> mark(group, block.getLong(group + MARK_END));
            default -> 0;
        };
    }

    private byte mark(int group, long itsToken) {
        // Where no group is known, it may be any.
        if (firstMark == 0) {
            token = itsToken;
        }
        return itsToken == token ? block.get(group + MARK_END - 1) : 0;
    }

    private void onPiece(int at, int end, long start) {
        int kind = block.get(at + 6) & 0xFF;
        boolean begins = kind == WHOLE || kind == FIRST;
        boolean continues = kind == MIDDLE || kind == LAST;
        if (begins ? inRecord : continues && !inRecord) {
            damaged(start + at, "a piece of a record that does not follow the one before");
            onPieceBehindDamage(at);
            return;
        }
        if (begins && records == 0) {
            firstMark = mark(at);
        }
        if (kind == EARLIER && end - at - HEADER_BYTES >= 2 * Long.BYTES) {
            int note = at + HEADER_BYTES;
            earlier =
                    Optional.of(new Earlier(block.getLong(note), block.getLong(note + Long.BYTES)));
        }
        inRecord = kind == FIRST || kind == MIDDLE;
        if (kind == WHOLE || kind == LAST) {
            records++;
        }
        if (!inRecord) {
            wholeBytes = start + end;
        }
    }

    private void onPieceBehindDamage(int at) {
        neededDamaged |= content == Content.MANIFEST || mark(at) == AFTER_SYNCED;
    }

    private void damaged(long at, String found) {
        damage = Optional.of(new Damage(at, found));
    }
}
