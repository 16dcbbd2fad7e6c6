package winnow.broker.shard;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyCursor;
import winnow.wire.PropertyType;

/// Finds the group of a message: its property JMSXGroupID (Jakarta Messaging 3.1, 3.5.11). Looks at
/// messages with properties only. Owned by the shard.
final class GroupFinder {
    private static final String ID = "JMSXGroupID";
    private static final String SEQUENCE = "JMSXGroupSeq";

    /// Says that a message is the last of its group.
    private static final int LAST = -1;

    private final IntFunction<String> names;
    private final MessageBlock parsed = new MessageBlock();
    private final PropertyCursor cursor = new PropertyCursor();
    private int idNumber;
    private int sequenceNumber;

    /// Numbers up to this have been looked at.
    private int knownNumbers;

    /// @param names of properties by their numbers, from 1
    GroupFinder(IntFunction<String> names) {
        this.names = names;
    }

    /// The group of a message.
    record Group(String id, boolean last) {}

    /// @return null if it belongs to none
    @Nullable Group find(StoredMessage message) {
        byte[] block = message.block;
        if ((block[0] & MessageBlock.HAS_PROPERTIES) == 0) {
            return null;
        }
        learn(message.maxNameId);
        parsed.parseFields(block, 0, block.length);
        parsed.properties(cursor);
        String id = null;
        boolean last = false;
        while (cursor.next()) {
            if (is(ID, idNumber) && cursor.type() == PropertyType.STRING) {
                id = cursor.string();
            } else if (is(SEQUENCE, sequenceNumber) && cursor.type() == PropertyType.INT) {
                last = cursor.integer() == LAST;
            }
        }
        parsed.clear();
        return id == null || id.isEmpty() ? null : new Group(id, last);
    }

    private boolean is(String name, int number) {
        int found = cursor.nameId();
        return found == 0
                ? cursor.nameLength() == name.length() && cursor.inlineName().equals(name)
                : found == number;
    }

    private void learn(int maxNumber) {
        while (knownNumbers < maxNumber) {
            String name = names.apply(++knownNumbers);
            if (name.equals(ID)) {
                idNumber = knownNumbers;
            } else if (name.equals(SEQUENCE)) {
                sequenceNumber = knownNumbers;
            }
        }
    }
}
