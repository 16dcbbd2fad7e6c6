package winnow.broker.shard;

import java.util.Set;
import winnow.wire.MessageBlock;

/// Facts that a shard needs to know of a message.
///
/// @param persistent whether it must survive the broker
/// @param priority 0 to 9
/// @param expiration ms since 1970, 0 for never; by the wall clock, and within a shard by its
///   [ShardTime]
/// @param deliveryTime ms since 1970, before which nobody may get it; likewise
/// @param recipients the subscriptions with a selector that it is for
/// @param blockBytes length of its block
/// @param maxNameId largest number that it uses for the name of a property; 0 if it uses none, or
///   the log knows them
/// @param special whether it may have a property that the shard looks for: a group, or what tells
///   duplicates ([#SPECIAL_NAMES])
public record MessageHeaders(
        boolean persistent,
        int priority,
        long expiration,
        long deliveryTime,
        Recipients recipients,
        int blockBytes,
        int maxNameId,
        boolean special) {
    /// The names of the properties that a shard looks for.
    public static final Set<String> SPECIAL_NAMES =
            Set.of(GroupFinder.ID_NAME, GroupFinder.SEQUENCE_NAME, DuplicateIdFinder.PROPERTY);

    /// Reads them from a block that has been parsed.
    ///
    /// @param recipients the subscriptions with a selector that it is for
    /// @param maxNameId largest number that it uses for the name of a property, 0 if it uses none
    public static MessageHeaders of(MessageBlock block, Recipients recipients, int maxNameId) {
        return of(block, recipients, maxNameId, true);
    }

    /// The same of a block whose properties were looked at.
    ///
    /// @param special whether it may have one of the [#SPECIAL_NAMES]
    public static MessageHeaders of(
            MessageBlock block, Recipients recipients, int maxNameId, boolean special) {
        return new MessageHeaders(
                block.persistent(),
                block.priority(),
                block.expiration(),
                block.deliveryTime(),
                recipients,
                block.length(),
                maxNameId,
                special);
    }

    /// JMSMessageID of a block, empty if it has none.
    static String idOf(byte[] block) {
        MessageBlock parsed = new MessageBlock();
        parsed.parseFields(block, 0, block.length);
        return parsed.has(MessageBlock.HAS_MESSAGE_ID) ? parsed.messageId() : "";
    }

    /// The same within a shard.
    MessageHeaders in(ShardTime time) {
        return with(time.ofWall(expiration), time.ofWall(deliveryTime));
    }

    MessageHeaders expiringAt(long millis) {
        return with(millis, deliveryTime);
    }

    private MessageHeaders with(long newExpiration, long newDeliveryTime) {
        return newExpiration == expiration && newDeliveryTime == deliveryTime
                ? this
                : new MessageHeaders(
                        persistent,
                        priority,
                        newExpiration,
                        newDeliveryTime,
                        recipients,
                        blockBytes,
                        maxNameId,
                        special);
    }

    boolean expired(long nowMillis) {
        return expiration != 0 && expiration <= nowMillis;
    }
}
