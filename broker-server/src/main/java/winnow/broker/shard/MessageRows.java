package winnow.broker.shard;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// The rows of a message: one in [Table#HEADERS], and one in [Table#BODIES] if the body is large,
/// so that what looks at headers does not read bodies.
///
/// | field of the header's row | coding |
/// |---|---|
/// | format, now 1 | u8 |
/// | flags (bit 0 persistent, bit 1 body in parts), priority | u8 each |
/// | expiration, delivery time | varint long each, ms since 1970 by the [ShardTime] |
/// | [Recipients] | varints |
/// | bytes of the body in the other row | varint |
/// | number, bytes and parts of the [LargeBody], if there is one | varint long, varints |
/// | CRC-32C of the whole message block, without a body in parts | u32 |
/// | the message block up to where the other row begins | |
final class MessageRows {
    /// Bodies up to this stay with the headers: a row of its own costs about as much.
    private static final int MAX_BODY_IN_HEADERS = 256;

    private static final int FORMAT = 1;
    private static final int PERSISTENT = 1;
    private static final int IN_PARTS = 2;

    private MessageRows() {}

    /// Writes the rows of a message.
    static void put(Batch batch, StoredMessage message) {
        byte[] block = message.block;
        MessageBlock parsed = new MessageBlock();
        parsed.parseFields(block, 0, block.length);
        int apart = parsed.bodyLength() > MAX_BODY_IN_HEADERS ? parsed.bodyLength() : 0;
        int together = block.length - apart;
        WireWriter out = new WireWriter(together + 32);
        writeHeaders(out, message.headers, message.body, apart);
        out.writeInt(checksum(block));
        out.writeRaw(block, 0, together);
        byte[] key = Keys.of(message.destination.id(), message.sequence);
        batch.put(Table.HEADERS, key, out.array(), 0, out.size());
        if (apart > 0) {
            batch.put(Table.BODIES, key, block, together, block.length);
        }
    }

    private static void writeHeaders(
            WireWriter out, MessageHeaders headers, @Nullable LargeBody body, int apart) {
        out.writeByte(FORMAT);
        out.writeByte((headers.persistent() ? PERSISTENT : 0) | (body == null ? 0 : IN_PARTS));
        out.writeByte(headers.priority());
        out.writeVarlong(headers.expiration());
        out.writeVarlong(headers.deliveryTime());
        headers.recipients().write(out);
        out.writeVarint(apart);
        if (body != null) {
            body.write(out);
        }
    }

    /// Content of a header's row, as read before the body is there.
    static final class Head {
        private final MessageHeaders headers;
        private final @Nullable LargeBody body;
        private final int bodyBytes;
        private final int checksum;
        private final byte[] head;

        /// @param body if it is in parts
        /// @param bodyBytes of the body that is in the other row
        /// @param checksum of the whole block
        /// @param head the block up to the body
        Head(
                MessageHeaders headers,
                @Nullable LargeBody body,
                int bodyBytes,
                int checksum,
                byte[] head) {
            this.headers = headers;
            this.body = body;
            this.bodyBytes = bodyBytes;
            this.checksum = checksum;
            this.head = head;
        }

        MessageHeaders headers() {
            return headers;
        }

        /// The body that is in parts, null if it is not.
        @Nullable LargeBody body() {
            return body;
        }

        /// True if there is a row in [Table#BODIES].
        boolean hasOtherRow() {
            return bodyBytes > 0;
        }

        /// Bytes of that row.
        int otherRowBytes() {
            return bodyBytes;
        }

        /// The message block up to a body that is in the other row; not to be changed.
        byte[] bytes() {
            return head;
        }
    }

    /// Reads a header's row.
    ///
    /// @throws LogException if it is none
    static Head head(byte[] key, byte[] row) {
        try {
            return readHead(row);
        } catch (WireException e) {
            throw corrupt(key, String.valueOf(e.getMessage()));
        }
    }

    private static Head readHead(byte[] row) {
        WireReader in = new WireReader().wrap(row, 0, row.length);
        int format = in.readUnsignedByte();
        if (format != FORMAT) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "expected format " + FORMAT + ", found " + format);
        }
        int flags = in.readUnsignedByte();
        int priority = in.readUnsignedByte();
        long expiration = in.readVarlong();
        long deliveryTime = in.readVarlong();
        Recipients recipients = Recipients.read(in);
        int apart = in.readVarint();
        LargeBody body = (flags & IN_PARTS) != 0 ? LargeBody.read(in) : null;
        int checksum = in.readInt();
        byte[] head = new byte[in.remaining()];
        System.arraycopy(row, in.position(), head, 0, head.length);
        MessageHeaders headers =
                new MessageHeaders(
                        (flags & PERSISTENT) != 0,
                        priority,
                        expiration,
                        deliveryTime,
                        recipients,
                        LargeBody.bytes(head, body) + apart,
                        0,
                        true);
        return new Head(headers, body, apart, checksum, head);
    }

    /// The block of a message.
    ///
    /// @param body the body's row, null if there is none
    /// @throws LogException if it is not what was written
    static byte[] block(byte[] key, Head head, byte @Nullable [] body) {
        int found = body == null ? 0 : body.length;
        if (found != head.bodyBytes) {
            throw corrupt(key, "expected a body of " + head.bodyBytes + " bytes, found " + found);
        }
        byte[] block = head.head;
        if (body != null) {
            block = Arrays.copyOf(block, block.length + body.length);
            System.arraycopy(body, 0, block, head.head.length, body.length);
        }
        if (checksum(block) != head.checksum) {
            throw corrupt(key, "its checksum does not fit its bytes");
        }
        return block;
    }

    private static LogException corrupt(byte[] key, String what) {
        return new LogException(
                LogException.Reason.CORRUPT,
                "message " + Keys.number(key) + " of destination " + Keys.id(key) + ": " + what);
    }

    private static int checksum(byte[] block) {
        CRC32C crc = new CRC32C();
        crc.update(block, 0, block.length);
        return (int) crc.getValue();
    }
}
