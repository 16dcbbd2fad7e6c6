package winnow.broker.matching;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import winnow.broker.shard.MessageHeaders;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyCursor;
import winnow.wire.PropertyType;
import winnow.wire.WireException;

/// Writes what the selectors of a topic read of a message into slots: header fields and those
/// properties that some selector names. Owned by one event loop.
final class PropertyProjection {
    private static final byte[] PERSISTENT = "PERSISTENT".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NON_PERSISTENT = "NON_PERSISTENT".getBytes(StandardCharsets.UTF_8);

    private static final int[] NO_ANSWERS = {};
    private static final int SHOWN_CHARACTERS = 100;

    private final NameDictionary names;
    private PropertyCursor cursor = new PropertyCursor();
    private int maxNameId;

    /// True if the last message has a property that a shard may look for.
    private boolean special;

    /// The numbers of the names of such properties, and how many numbers were looked at for them.
    private final BitSet specialNames = new BitSet();

    private int knownNames;

    /// Number of the message's properties that were looked at.
    private int properties;

    PropertyProjection(NameDictionary names) {
        this.names = names;
    }

    /// Fills `values` for the message; they borrow the block's array. Looks at every property, so
    /// that one that is malformed is found even if no selector reads it.
    ///
    /// @param block its properties are not checked yet
    /// @param limits of its properties
    /// @throws RefusedException if they are exceeded
    /// @throws WireException if they are no properties
    void project(
            MessageBlock block,
            Slots slots,
            SlotsByName slotsByName,
            SlotValues values,
            PropertyLimits limits) {
        checkHeaders(block, limits);
        values.reset(slots);
        if (slots.uses(Slots.CORRELATION_ID) && block.has(MessageBlock.HAS_CORRELATION_ID)) {
            values.setString(
                    Slots.CORRELATION_ID,
                    block.array(),
                    block.correlationIdIndex(),
                    block.correlationIdLength());
        }
        projectHeaders(block, slots, values);
        projectProperties(block, slots, slotsByName, values, limits);
    }

    /// Looks at the header fields and properties of a message, and takes no value of them.
    ///
    /// @param limits as for [#project]
    /// @throws RefusedException if they are exceeded
    /// @throws WireException if its properties are malformed
    void check(MessageBlock block, PropertyLimits limits) {
        checkHeaders(block, limits);
        beginProperties();
        int max = 0;
        block.properties(cursor);
        while (cursor.next()) {
            max = Math.max(max, cursor.nameId());
            checkProperty(limits);
        }
        maxNameId = max;
    }

    private static void checkHeaders(MessageBlock block, PropertyLimits limits) {
        if (block.correlationIdLength() > limits.maxStringBytes()) {
            throw tooLong("JMSCorrelationID", block.correlationIdLength(), limits);
        }
        if (block.typeLength() > limits.maxStringBytes()) {
            throw tooLong("JMSType", block.typeLength(), limits);
        }
    }

    /// Forgets the array of the last message; what was found out about it stays.
    void forget() {
        cursor = new PropertyCursor();
    }

    private void beginProperties() {
        special = false;
        properties = 0;
        int now = names.size();
        while (knownNames < now) {
            knownNames++;
            if (MessageHeaders.SPECIAL_NAMES.contains(names.name(knownNames))) {
                specialNames.set(knownNames);
            }
        }
    }

    private void checkProperty(PropertyLimits limits) {
        properties++;
        if (properties > limits.maxCount()) {
            throw tooMany(limits);
        }
        int nameId = cursor.nameId();
        if (nameId > knownNames) {
            throw unknownName(nameId, knownNames);
        }
        if (cursor.valueLength() > limits.maxStringBytes()) {
            throw tooLong(
                    nameId == 0 ? cursor.inlineName() : names.name(nameId),
                    cursor.valueLength(),
                    limits);
        }
        special |= nameId == 0 || specialNames.get(nameId);
    }

    /// Largest number of a property name in the last message, 0 if it has none.
    int maxNameId() {
        return maxNameId;
    }

    /// True if the last message may have one of [MessageHeaders#SPECIAL_NAMES].
    boolean special() {
        return special;
    }

    private static void projectHeaders(MessageBlock block, Slots slots, SlotValues values) {
        if (slots.uses(Slots.TYPE) && block.has(MessageBlock.HAS_TYPE)) {
            values.setString(Slots.TYPE, block.array(), block.typeIndex(), block.typeLength());
        }
        if (slots.uses(Slots.MESSAGE_ID) && block.has(MessageBlock.HAS_MESSAGE_ID)) {
            byte[] id = block.messageId().getBytes(StandardCharsets.UTF_8);
            values.setString(Slots.MESSAGE_ID, id);
        }
        if (slots.uses(Slots.PRIORITY)) {
            values.setInt(Slots.PRIORITY, block.priority());
        }
        if (slots.uses(Slots.TIMESTAMP)) {
            values.setLong(Slots.TIMESTAMP, block.timestamp());
        }
        if (slots.uses(Slots.DELIVERY_MODE)) {
            byte[] mode = block.persistent() ? PERSISTENT : NON_PERSISTENT;
            values.setString(Slots.DELIVERY_MODE, mode);
        }
    }

    private void projectProperties(
            MessageBlock block,
            Slots slots,
            SlotsByName slotsByName,
            SlotValues values,
            PropertyLimits limits) {
        beginProperties();
        boolean wanted = slots.usesProperties();
        int[] answers = wanted ? slotsByName.answers(knownNames) : NO_ANSWERS;
        int max = 0;
        block.properties(cursor);
        while (cursor.next()) {
            int nameId = cursor.nameId();
            max = Math.max(max, nameId);
            checkProperty(limits);
            if (wanted) {
                int slot =
                        nameId == 0
                                ? slots.slotOf(cursor.inlineName())
                                : slotsByName.slotOf(nameId, answers, names);
                if (slot >= 0) {
                    projectValue(slot, values);
                }
                wanted = !values.isComplete();
            }
        }
        maxNameId = max;
    }

    private static WireException unknownName(int nameId, int knownNames) {
        return new WireException(
                ErrorCode.MALFORMED_FRAME,
                "Publish: expected property name numbers up to "
                        + knownNames
                        + ", found "
                        + nameId);
    }

    private static RefusedException tooMany(PropertyLimits limits) {
        return new RefusedException(
                ErrorCode.LIMIT_EXCEEDED,
                ("a message's properties: expected at most %d (destination.max-properties), found"
                                + " more; put them into the body")
                        .formatted(limits.maxCount()));
    }

    private static RefusedException tooLong(String name, int bytes, PropertyLimits limits) {
        return new RefusedException(
                ErrorCode.LIMIT_EXCEEDED,
                "%s: expected at most %d bytes (destination.max-property-bytes), found %d; put long"
                                .formatted(shortened(name), limits.maxStringBytes(), bytes)
                        + " texts into the body");
    }

    private static String shortened(String name) {
        int end = Math.min(name.length(), SHOWN_CHARACTERS);
        return end < name.length() ? name.substring(0, end) + "..." : name;
    }

    private void projectValue(int slot, SlotValues values) {
        switch (cursor.type()) {
            case PropertyType.NULL -> {}
            case PropertyType.FALSE -> values.setBoolean(slot, false);
            case PropertyType.TRUE -> values.setBoolean(slot, true);
            case PropertyType.BYTE -> values.setByte(slot, (byte) cursor.integer());
            case PropertyType.SHORT -> values.setShort(slot, (short) cursor.integer());
            case PropertyType.INT -> values.setInt(slot, (int) cursor.integer());
            case PropertyType.LONG -> values.setLong(slot, cursor.integer());
            case PropertyType.FLOAT -> values.setFloat(slot, cursor.floating());
            case PropertyType.DOUBLE -> values.setDouble(slot, cursor.doubleFloating());
            case PropertyType.STRING ->
                    values.setString(
                            slot, cursor.array(), cursor.valueIndex(), cursor.valueLength());
            default -> values.setOther(slot);
        }
    }
}
