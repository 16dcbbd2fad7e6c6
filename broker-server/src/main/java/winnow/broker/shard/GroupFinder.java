package winnow.broker.shard;

import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import winnow.wire.PropertyCursor;
import winnow.wire.PropertyType;

/// Finds the group of a message: its property JMSXGroupID (Jakarta Messaging 3.1, 3.5.11). Owned by
/// the shard.
final class GroupFinder implements PropertyFinder.Visitor {
    static final String ID_NAME = "JMSXGroupID";
    static final String SEQUENCE_NAME = "JMSXGroupSeq";
    private static final List<String> NAMES = List.of(ID_NAME, SEQUENCE_NAME);
    private static final int ID = 0;
    private static final int SEQUENCE = 1;

    /// Says that a message is the last of its group.
    private static final int LAST = -1;

    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final PropertyFinder properties;
    private @Nullable String id;
    private boolean last;

    /// @param names of properties by their numbers, from 1
    GroupFinder(IntFunction<String> names) {
        properties = new PropertyFinder(names, NAMES);
    }

    /// The group of a message.
    ///
    /// @param key a hash of its identifier, which may be as long as a message, and not 0: groups
    ///   that have the same by chance go to the same consumer
    record Group(long key, boolean last) {}

    /// The key of a group.
    static long key(String id) {
        long hash = id.length();
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * MULTIPLIER;
            hash ^= hash >>> 32;
        }
        return hash == 0 ? 1 : hash;
    }

    /// @return null if it belongs to none
    @Nullable Group find(StoredMessage message) {
        if (!message.headers.special()) {
            return null;
        }
        id = null;
        last = false;
        properties.find(message.block, message.maxNameId, this);
        String found = id;
        return found == null || found.isEmpty() ? null : new Group(key(found), last);
    }

    @Override
    public void onProperty(int which, PropertyCursor property) {
        if (which == ID && property.type() == PropertyType.STRING) {
            id = property.string();
        } else if (which == SEQUENCE && property.type() == PropertyType.INT) {
            last = property.integer() == LAST;
        }
    }
}
