package winnow.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import winnow.store.ShardLog;

/// An entry of the replicated log: the kind, the epoch of the owner and the number of the entry in
/// it (1, 8 and 8 bytes, big-endian), then where the owner is reached, or changes.
///
/// Only the entries of the owner that was the last to begin count, each once and in the order of
/// their numbers. So what an earlier owner proposed, or what came behind a proposal that got lost,
/// changes nothing on any node.
///
/// @param epoch index of the entry with which the owner began; 0 in that entry itself
record ClusterEntry(Kind kind, long epoch, long number, ByteString content) {
    static final int HEADER_BYTES = 1 + 2 * Long.BYTES;

    /// Purpose of an entry. Its number is part of the format.
    enum Kind {
        /// An owner begins; the content is the format of the rows that it writes, a byte, and
        /// [LeaderAddress#text], UTF-8.
        BEGIN(0),

        /// First or middle part of changes that one entry cannot hold.
        PART(1),

        /// Changes, or the last part of them: [winnow.store.Batch#encodeTo].
        CHANGES(2);

        private static final Kind[] BY_NUMBER = values();

        private final int number;

        Kind(int number) {
            this.number = number;
        }
    }

    static ByteString begin(LeaderAddress owner) {
        return begin(ShardLog.FORMAT, owner);
    }

    /// @param format of the rows, 1 to 31
    static ByteString begin(int format, LeaderAddress owner) {
        byte[] address = owner.text().getBytes(StandardCharsets.UTF_8);
        byte[] content =
                ByteBuffer.allocate(1 + address.length).put((byte) format).put(address).array();
        return encode(Kind.BEGIN, 0, 0, content, 0, content.length);
    }

    /// Address of the owner that begins.
    ///
    /// @throws IllegalArgumentException if it writes another format of rows than this version
    LeaderAddress owner() {
        int format = content.isEmpty() ? 0 : content.byteAt(0);
        if (format >= ' ') {
            // A leader that names no format, but begins with its address, writes the first.
            return LeaderAddress.of(content.toStringUtf8());
        }
        if (format != ShardLog.FORMAT) {
            throw new IllegalArgumentException(
                    "expected a leader that writes format %d of the store, found format %d: it is"
                                    .formatted(ShardLog.FORMAT, format)
                            + " of another version of Winnow. Start this node with that version;"
                            + " nothing of that format is in its tables");
        }
        return LeaderAddress.of(content.substring(1).toStringUtf8());
    }

    /// @param from of the bytes to take
    /// @param to the first byte that is not taken
    static ByteString encode(Kind kind, long epoch, long number, byte[] bytes, int from, int to) {
        byte[] entry = new byte[HEADER_BYTES + to - from];
        ByteBuffer.wrap(entry)
                .put((byte) kind.number)
                .putLong(epoch)
                .putLong(number)
                .put(bytes, from, to - from);
        return UnsafeByteOperations.unsafeWrap(entry);
    }

    /// @throws IllegalArgumentException if the bytes are no entry of this version
    static ClusterEntry decode(ByteString bytes) {
        int kind = bytes.isEmpty() ? -1 : bytes.byteAt(0);
        if (bytes.size() < HEADER_BYTES || kind < 0 || kind >= Kind.BY_NUMBER.length) {
            throw new IllegalArgumentException(
                    "expected an entry of a cluster's log, found kind %d in %d bytes"
                            .formatted(kind, bytes.size()));
        }
        ByteBuffer header = bytes.substring(1, HEADER_BYTES).asReadOnlyByteBuffer();
        return new ClusterEntry(
                Kind.BY_NUMBER[kind],
                header.getLong(),
                header.getLong(),
                bytes.substring(HEADER_BYTES));
    }
}
