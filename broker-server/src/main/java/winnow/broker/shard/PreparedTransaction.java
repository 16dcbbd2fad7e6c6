package winnow.broker.shard;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import winnow.broker.shard.StoredConsumer.Delivered;
import winnow.store.LogException;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.Xid;

/// What a prepared transaction sends, and what it has received. Its row in the log is written once.
final class PreparedTransaction {
    private static final int FORMAT = 1;

    /// What a transaction takes on the heap beside its messages, and each message beside its block.
    private static final int OVERHEAD_BYTES = 512;

    private static final int MESSAGE_OVERHEAD_BYTES = 128;

    private final String owner;
    private final List<Sent> sent = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();

    /// A message that is sent when the transaction is committed.
    static final class Sent {
        final int destination;
        final Recipients recipients;
        final byte[] block;

        Sent(int destination, Recipients recipients, byte[] block) {
            this.destination = destination;
            this.recipients = recipients;
            this.block = block;
        }
    }

    /// A message that has been received, and is with nobody else until the transaction ends.
    ///
    /// @param delivered its group is known until the broker stops
    record Held(int subscription, Delivered delivered) {
        long sequence() {
            return delivered.sequence();
        }
    }

    /// @param owner whose share it takes, empty if nobody knows
    PreparedTransaction(String owner) {
        this.owner = owner;
    }

    String owner() {
        return owner;
    }

    void send(Sent message) {
        sent.add(message);
    }

    void hold(Held message) {
        held.add(message);
    }

    List<Sent> sent() {
        return sent;
    }

    List<Held> held() {
        return held;
    }

    /// What it takes on the heap.
    long heapBytes() {
        long bytes = OVERHEAD_BYTES + (long) MESSAGE_OVERHEAD_BYTES * (sent.size() + held.size());
        for (Sent message : sent) {
            bytes += message.block.length;
        }
        return bytes;
    }

    /// What a transaction will take on the heap when it is prepared.
    static long heapBytes(StoredTransaction transaction) {
        return OVERHEAD_BYTES
                + (long) MESSAGE_OVERHEAD_BYTES * transaction.size()
                + transaction.bytes();
    }

    byte[] bytes() {
        WireWriter out = new WireWriter(256);
        out.writeByte(FORMAT);
        out.writeVarint(sent.size());
        for (Sent message : sent) {
            out.writeVarint(message.destination);
            message.recipients.write(out);
            out.writeBytes(message.block);
        }
        out.writeVarint(held.size());
        for (Held message : held) {
            out.writeVarint(message.subscription);
            out.writeVarlong(message.delivered.sequence());
            out.writeByte(message.delivered.priority());
            out.writeVarint(message.delivered.bytes());
        }
        return out.toByteArray();
    }

    /// @throws LogException if the row is none
    static PreparedTransaction read(byte[] key, byte[] row) {
        try {
            Xid.ofBytes(key);
            return read(new WireReader().wrap(row, 0, row.length));
        } catch (WireException e) {
            throw new LogException(
                    LogException.Reason.CORRUPT,
                    "prepared transaction " + HexFormat.of().formatHex(key) + ": " + e.getMessage(),
                    e);
        }
    }

    private static PreparedTransaction read(WireReader in) {
        int format = in.readUnsignedByte();
        if (format != FORMAT) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "expected format " + FORMAT + ", found " + format);
        }
        PreparedTransaction transaction = new PreparedTransaction("");
        for (int left = in.readVarint(); left > 0; left--) {
            transaction.send(new Sent(in.readVarint(), Recipients.read(in), in.readBytes()));
        }
        for (int left = in.readVarint(); left > 0; left--) {
            int subscription = in.readVarint();
            long sequence = in.readVarlong();
            byte priority = (byte) in.readUnsignedByte();
            int bytes = in.readVarint();
            transaction.hold(
                    new Held(subscription, new Delivered(sequence, priority, bytes, 0, 0, false)));
        }
        in.requireEnd();
        return transaction;
    }
}
