package winnow.broker.shard;

import java.util.Random;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Message blocks whose body begins with a number that identifies them.
final class Blocks {
    /// Some of the messages with higher numbers have a group.
    static final long GROUPED = 1_000_000;

    private Blocks() {}

    /// @param id identifies the message
    /// @param expiration ms since 1970, 0 for never
    /// @param deliveryTime ms since 1970, 0 for at once
    /// @param bodyBytes 8 or more
    record Spec(
            long id,
            boolean persistent,
            int priority,
            long expiration,
            long deliveryTime,
            int bodyBytes) {
        static Spec persistent(long id) {
            return new Spec(id, true, 4, 0, 0, 8);
        }

        static Spec transientOne(long id) {
            return new Spec(id, false, 4, 0, 0, 8);
        }
    }

    static MessageBlock block(Spec spec) {
        byte[] bytes = bytes(spec);
        MessageBlock block = new MessageBlock();
        block.parse(bytes, 0, bytes.length);
        return block;
    }

    static byte[] bytes(Spec spec) {
        WireWriter out = new WireWriter(64);
        byte[] properties = properties(spec.id);
        out.writeByte(
                (spec.persistent ? MessageBlock.PERSISTENT : 0)
                        | (properties.length > 0 ? MessageBlock.HAS_PROPERTIES : 0)
                        | (2 << MessageBlock.BODY_TYPE_SHIFT));
        out.writeByte(
                MessageBlock.HAS_PRIORITY
                        | MessageBlock.HAS_EXPIRATION
                        | MessageBlock.HAS_DELIVERY_TIME);
        out.writeByte(spec.priority);
        out.writeLong(spec.expiration);
        out.writeLong(spec.deliveryTime);
        if (properties.length > 0) {
            out.writeBytes(properties);
        }
        out.writeLong(spec.id);
        byte[] filler = new byte[spec.bodyBytes - Long.BYTES];
        new Random(spec.id).nextBytes(filler);
        out.writeRaw(filler, 0, filler.length);
        return out.toByteArray();
    }

    /// The group of a message; empty if it has none.
    static String group(long id) {
        return id > GROUPED && id % 4 == 0 ? "group " + id / 4 % 3 : "";
    }

    private static byte[] properties(long id) {
        String group = group(id);
        WireWriter out = new WireWriter(64);
        if (!group.isEmpty()) {
            out.writeVarint(0);
            out.writeString("JMSXGroupID");
            out.writeByte(PropertyType.STRING);
            out.writeString(group);
        }
        return out.toByteArray();
    }

    /// The largest number that the message is said to use for the name of a property.
    static int maxNameId(long id) {
        return (int) (id % 50);
    }

    /// The number in the body of a block.
    static long id(byte[] bytes) {
        MessageBlock block = new MessageBlock();
        block.parse(bytes, 0, bytes.length);
        return new WireReader().wrap(bytes, block.bodyIndex(), bytes.length).readLong();
    }
}
