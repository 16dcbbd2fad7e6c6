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

/// Messages that a prepared transaction sends and has received. Its row in the log is written once.
final class PreparedTransaction {
    private static final int FORMAT = 2;

    /// The same without its owner, the earlier expirations and the groups. Still read.
    private static final int OLDER_FORMAT = 1;

    /// Flags of a message that has been received.
    private static final int IN_GROUP = 1;

    private static final int LAST_OF_GROUP = 2;

    /// Heap of a transaction beside its messages, and of each message beside its block.
    private static final int OVERHEAD_BYTES = 512;

    private static final int MESSAGE_OVERHEAD_BYTES = 128;

    private final String owner;
    private final List<Sent> sent = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();

    /// A message that is sent when the transaction is committed.
    static final class Sent {
        final int destination;
        final Recipients recipients;

        /// See [winnow.wire.MessageBlock#expiresEarlierMillis()].
        final long expiresEarlierMillis;

        final byte[] block;

        Sent(int destination, Recipients recipients, long expiresEarlierMillis, byte[] block) {
            this.destination = destination;
            this.recipients = recipients;
            this.expiresEarlierMillis = expiresEarlierMillis;
            this.block = block;
        }
    }

    /// A message that has been received, and is with nobody else until the transaction ends.
    record Held(int subscription, Delivered delivered) {
        long sequence() {
            return delivered.sequence();
        }

        static long heapBytes(Delivered delivered) {
            return MESSAGE_OVERHEAD_BYTES + (delivered.group() == 0 ? 0L : HeapCost.HELD_GROUP);
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

    /// Bytes of heap that it takes.
    long heapBytes() {
        long bytes = OVERHEAD_BYTES + (long) MESSAGE_OVERHEAD_BYTES * sent.size();
        for (Sent message : sent) {
            bytes += message.block.length;
        }
        for (Held message : held) {
            bytes += Held.heapBytes(message.delivered);
        }
        return bytes;
    }

    /// Bytes of heap that a transaction will take when it is prepared.
    static long heapBytes(StoredTransaction transaction) {
        long bytes =
                OVERHEAD_BYTES
                        + (long) MESSAGE_OVERHEAD_BYTES * transaction.sent.size()
                        + transaction.bytes();
        for (StoredTransaction.Received received : transaction.received) {
            Delivered delivered = received.consumer().find(received.sequence());
            bytes += delivered == null ? 0 : Held.heapBytes(delivered);
        }
        return bytes;
    }

    byte[] bytes() {
        WireWriter out = new WireWriter(256);
        out.writeByte(FORMAT);
        out.writeString(owner);
        out.writeVarint(sent.size());
        for (Sent message : sent) {
            out.writeVarint(message.destination);
            message.recipients.write(out);
            out.writeVarlong(message.expiresEarlierMillis);
            out.writeBytes(message.block);
        }
        out.writeVarint(held.size());
        for (Held message : held) {
            write(out, message);
        }
        return out.toByteArray();
    }

    private static void write(WireWriter out, Held message) {
        Delivered delivered = message.delivered;
        out.writeVarint(message.subscription);
        out.writeVarlong(delivered.sequence());
        out.writeByte(delivered.priority());
        out.writeVarint(delivered.bytes());
        if (delivered.group() == 0) {
            out.writeByte(0);
        } else {
            out.writeByte(delivered.last() ? IN_GROUP | LAST_OF_GROUP : IN_GROUP);
            out.writeLong(delivered.group());
        }
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
        if (format != FORMAT && format != OLDER_FORMAT) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected format " + OLDER_FORMAT + " or " + FORMAT + ", found " + format);
        }
        boolean older = format == OLDER_FORMAT;
        PreparedTransaction transaction = new PreparedTransaction(older ? "" : in.readString());
        for (int left = in.readVarint(); left > 0; left--) {
            transaction.send(
                    new Sent(
                            in.readVarint(),
                            Recipients.read(in),
                            older ? 0 : in.readVarlong(),
                            in.readBytes()));
        }
        for (int left = in.readVarint(); left > 0; left--) {
            transaction.hold(readHeld(in, older));
        }
        in.requireEnd();
        return transaction;
    }

    private static Held readHeld(WireReader in, boolean older) {
        int subscription = in.readVarint();
        long sequence = in.readVarlong();
        byte priority = (byte) in.readUnsignedByte();
        int bytes = in.readVarint();
        int flags = older ? 0 : in.readUnsignedByte();
        long group = (flags & IN_GROUP) == 0 ? 0 : in.readLong();
        boolean last = (flags & LAST_OF_GROUP) != 0;
        return new Held(subscription, new Delivered(sequence, priority, bytes, 0, group, last));
    }
}
