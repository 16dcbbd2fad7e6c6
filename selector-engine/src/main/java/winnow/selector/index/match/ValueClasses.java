package winnow.selector.index.match;

import java.util.Arrays;
import winnow.selector.index.structure.Buckets;
import winnow.selector.slot.SlotValues;

/// The classes of a message's values, each found once per message. Owned by one event loop.
final class ValueClasses {
    /// By slot: the class of the message's value, among which classes, and the epoch of that.
    private int[] numbers = {};

    private Buckets[] buckets = {};
    private int[] epochs = {};

    /// @param epoch of the message
    @SuppressWarnings("ReferenceEquality") // Equal ones only cost time.
    int of(SlotValues values, int slot, Buckets among, int epoch) {
        if (slot < epochs.length && epochs[slot] == epoch && buckets[slot] == among) {
            return numbers[slot];
        }
        if (!values.holds(slot)) {
            // Selectors that ask for the slot are newer than the message, too.
            return 0;
        }
        if (slot >= epochs.length) {
            int length = Math.max(slot + 1, 2 * epochs.length);
            numbers = Arrays.copyOf(numbers, length);
            epochs = Arrays.copyOf(epochs, length);
            buckets = Arrays.copyOf(buckets, length);
        }
        int number = among.of(values, slot);
        numbers[slot] = number;
        buckets[slot] = among;
        epochs[slot] = epoch;
        return number;
    }

    /// Forgets all epochs, which begin again.
    void clear() {
        Arrays.fill(epochs, 0);
    }
}
