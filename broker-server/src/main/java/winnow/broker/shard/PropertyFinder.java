package winnow.broker.shard;

import java.util.List;
import java.util.function.IntFunction;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyCursor;

/// Finds properties with certain names in message blocks. Looks at messages with properties only.
/// Owned by the shard.
final class PropertyFinder {
    private final IntFunction<String> names;
    private final List<String> wanted;
    private final int[] numbers;
    private final MessageBlock parsed = new MessageBlock();
    private final PropertyCursor cursor = new PropertyCursor();

    /// Numbers up to this have been looked at.
    private int knownNumbers;

    /// @param names of properties by their numbers, from 1
    PropertyFinder(IntFunction<String> names, List<String> wanted) {
        this.names = names;
        this.wanted = wanted;
        this.numbers = new int[wanted.size()];
    }

    /// Gets what is found.
    @FunctionalInterface
    interface Visitor {
        /// @param which index of the name
        /// @param property at the property, borrowed
        void onProperty(int which, PropertyCursor property);
    }

    /// Calls the visitor with each property that has one of the names.
    ///
    /// @param maxNameId largest number that the block uses for the name of a property
    void find(byte[] block, int maxNameId, Visitor visitor) {
        if ((block[0] & MessageBlock.HAS_PROPERTIES) == 0) {
            return;
        }
        learn(maxNameId);
        parsed.parseFields(block, 0, block.length);
        parsed.properties(cursor);
        while (cursor.next()) {
            for (int i = 0; i < numbers.length; i++) {
                if (is(i)) {
                    visitor.onProperty(i, cursor);
                }
            }
        }
        parsed.clear();
    }

    private boolean is(int which) {
        int found = cursor.nameId();
        String name = wanted.get(which);
        return found == 0
                ? cursor.nameLength() == name.length() && cursor.inlineName().equals(name)
                : found == numbers[which];
    }

    private void learn(int maxNumber) {
        while (knownNumbers < maxNumber) {
            int which = wanted.indexOf(names.apply(++knownNumbers));
            if (which >= 0) {
                numbers[which] = knownNumbers;
            }
        }
    }
}
