package winnow.broker.destination;

import java.util.Arrays;
import winnow.selector.Slots;

/// The slots of property names by the names' numbers, remembered so that a property costs an array
/// read. Any loop: the races are harmless, because all who write an answer write the same one, and
/// answers are dropped when the names have changed.
final class SlotsByName {
    private static final byte UNKNOWN = 0;
    private static final int MIN_SIZE = 64;

    private final Slots slots;
    private Answers answers = new Answers(-1, new int[0]);

    private static final class Answers {
        final int namesVersion;

        /// Slot + 2 by name number, 0 if not looked up yet.
        final int[] slots;

        Answers(int namesVersion, int[] slots) {
            this.namesVersion = namesVersion;
            this.slots = slots;
        }
    }

    SlotsByName(Slots slots) {
        this.slots = slots;
    }

    /// The slot of the property with this number, -1 if no selector of the topic reads it. To be
    /// asked after the values were reset.
    int slotOf(int nameId, NameDictionary names) {
        int[] known = current(nameId);
        int cached = known[nameId];
        if (cached == UNKNOWN) {
            cached = slots.slotOf(names.name(nameId)) + 2;
            known[nameId] = cached;
        }
        return cached - 2;
    }

    private int[] current(int nameId) {
        int version = slots.namesVersion();
        Answers now = answers;
        if (now.namesVersion != version) {
            now = new Answers(version, new int[Math.max(MIN_SIZE, nameId + 1)]);
            answers = now;
        } else if (nameId >= now.slots.length) {
            int size = Math.max(nameId + 1, 2 * now.slots.length);
            now = new Answers(version, Arrays.copyOf(now.slots, size));
            answers = now;
        }
        return now.slots;
    }
}
