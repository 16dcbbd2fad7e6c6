package winnow.broker.shard;

import java.util.Set;
import winnow.wire.DestinationKind;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyCursor;
import winnow.wire.PropertyType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// A message that goes to the dead-letter queue: its block, with properties that say why, and
/// without expiration and delivery time.
///
/// @param reason for people
/// @param from where it was, such as `queue orders`
/// @param subscription for which it failed, as `client.name`; empty if it is from a queue
/// @param deliveries failed attempts
public record DeadLetter(String reason, String from, String subscription, int deliveries) {
    /// Name of the property with the reason.
    public static final String REASON = "JMS_WINNOW_DeadReason";

    /// Name of the property with the destination that it comes from.
    public static final String FROM = "JMS_WINNOW_DeadFrom";

    /// Name of the property with the subscription that it is from.
    public static final String SUBSCRIPTION = "JMS_WINNOW_DeadSubscription";

    /// Name of the property with the number of failed attempts.
    public static final String DELIVERIES = "JMS_WINNOW_DeadDeliveries";

    private static final Set<String> NAMES = Set.of(REASON, FROM, SUBSCRIPTION, DELIVERIES);

    /// A client takes deliveries that are 256 KiB longer than the longest frame that it may send.
    private static final int MAX_ADDED_BYTES = 64 * 1024;

    private static final int DROPPED = MessageBlock.HAS_EXPIRATION | MessageBlock.HAS_DELIVERY_TIME;

    /// The block with these properties; those of an earlier death are replaced. It has none of them
    /// if they are longer than a client expects a message to grow on its way.
    byte[] write(byte[] block) {
        WireWriter properties = new WireWriter(256);
        copyOthers(block, properties);
        int others = properties.size();
        string(properties, REASON, reason);
        string(properties, FROM, from);
        if (!subscription.isEmpty()) {
            string(properties, SUBSCRIPTION, subscription);
        }
        name(properties, DELIVERIES);
        properties.writeByte(PropertyType.INT);
        properties.writeInt(deliveries);
        return properties.size() - others > MAX_ADDED_BYTES
                ? remove(block)
                : rewrite(block, properties);
    }

    /// The block without properties that say why a message died.
    static byte[] remove(byte[] block) {
        WireWriter properties = new WireWriter(256);
        copyOthers(block, properties);
        return rewrite(block, properties);
    }

    /// The destination that a dead letter comes from, as it was written; empty if it does not say.
    static String from(byte[] block) {
        PropertyCursor cursor = properties(block);
        while (cursor.next()) {
            if (cursor.nameId() == 0
                    && cursor.type() == PropertyType.STRING
                    && cursor.inlineName().equals(FROM)) {
                return cursor.string();
            }
        }
        return "";
    }

    private static PropertyCursor properties(byte[] block) {
        MessageBlock parsed = new MessageBlock();
        parsed.parseFields(block, 0, block.length);
        PropertyCursor cursor = new PropertyCursor();
        parsed.properties(cursor);
        return cursor;
    }

    private static void string(WireWriter out, String name, String value) {
        name(out, name);
        out.writeByte(PropertyType.STRING);
        out.writeString(value);
    }

    private static void name(WireWriter out, String name) {
        out.writeVarint(0);
        out.writeString(name);
    }

    /// Copies the properties that do not say why a message died.
    private static void copyOthers(byte[] block, WireWriter out) {
        PropertyCursor cursor = properties(block);
        while (cursor.next()) {
            if (cursor.nameId() == 0) {
                String name = cursor.inlineName();
                if (NAMES.contains(name)) {
                    continue;
                }
                name(out, name);
            } else {
                out.writeVarint(cursor.nameId());
            }
            out.writeByte(cursor.type());
            if (cursor.type() == PropertyType.STRING) {
                out.writeVarint(cursor.valueLength());
            }
            out.writeRaw(block, cursor.valueIndex(), cursor.valueLength());
        }
    }

    /// The headers and the body of a block with other properties.
    private static byte[] rewrite(byte[] block, WireWriter properties) {
        MessageBlock parsed = new MessageBlock();
        parsed.parseFields(block, 0, block.length);
        WireReader in = new WireReader().wrap(block, 0, block.length);
        WireWriter out = new WireWriter(block.length + properties.size() + 8);
        int flags = in.readUnsignedByte() & ~MessageBlock.HAS_PROPERTIES;
        int presence = in.readUnsignedByte();
        out.writeByte(properties.size() > 0 ? flags | MessageBlock.HAS_PROPERTIES : flags);
        out.writeByte(presence & ~DROPPED);
        copyFields(in, block, presence, out);
        if (properties.size() > 0) {
            out.writeVarint(properties.size());
            out.writeRaw(properties.array(), 0, properties.size());
        }
        out.writeRaw(block, parsed.bodyIndex(), parsed.bodyLength());
        return out.toByteArray();
    }

    private static void copyFields(WireReader in, byte[] block, int presence, WireWriter out) {
        int start = in.position();
        if ((presence & MessageBlock.HAS_MESSAGE_ID) != 0) {
            in.skip(8);
            in.readVarlong();
        }
        if ((presence & MessageBlock.HAS_TIMESTAMP) != 0) {
            in.skip(8);
        }
        if ((presence & MessageBlock.HAS_PRIORITY) != 0) {
            in.skip(1);
        }
        out.writeRaw(block, start, in.position() - start);
        in.skip(8 * Integer.bitCount(presence & DROPPED));
        start = in.position();
        if ((presence & MessageBlock.HAS_CORRELATION_ID) != 0) {
            in.skip(in.readLength());
        }
        if ((presence & MessageBlock.HAS_TYPE) != 0) {
            in.skip(in.readLength());
        }
        if ((presence & MessageBlock.HAS_REPLY_TO) != 0) {
            DestinationKind.read(in);
            in.skip(in.readLength());
        }
        out.writeRaw(block, start, in.position() - start);
    }
}
