package winnow.broker.matching;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import winnow.selector.slot.Slots;

/// The slots of property names by the names' numbers, remembered so that a property costs an array
/// read. Any loop: answers are dropped when the names have changed. An answer that another loop
/// wrote after that may be of the new names. Whoever reads it sees what happened before, such as
/// the release of the selectors that the slot had before.
final class SlotsByName {
    private static final byte UNKNOWN = 0;
    private static final int MIN_SIZE = 64;
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(int[].class);

    private final Slots slots;
    private Answers current = new Answers(-1, new int[0]);

    private static final class Answers {
        final long namesVersion;

        /// Slot + 2 by name number, 0 if not looked up yet.
        final int[] slots;

        Answers(long namesVersion, int[] slots) {
            this.namesVersion = namesVersion;
            this.slots = slots;
        }
    }

    SlotsByName(Slots slots) {
        this.slots = slots;
    }

    /// The slot of the property with this number, -1 if no selector of the topic reads it.
    ///
    /// @param answers for this message, which [#answers] gave
    int slotOf(int nameId, int[] answers, NameDictionary names) {
        int cached = (int) SLOTS.getAcquire(answers, nameId);
        if (cached == UNKNOWN) {
            cached = slots.slotOf(names.name(nameId)) + 2;
            SLOTS.setRelease(answers, nameId, cached);
        }
        return cached - 2;
    }

    /// Answers about names, as far as they are known. To be asked after the values were reset.
    ///
    /// @param maxNameId largest number that will be asked for
    int[] answers(int maxNameId) {
        long version = slots.namesVersion();
        Answers now = current;
        if (now.namesVersion != version) {
            now = new Answers(version, new int[Math.max(MIN_SIZE, maxNameId + 1)]);
            current = now;
        } else if (maxNameId >= now.slots.length) {
            int size = Math.max(maxNameId + 1, 2 * now.slots.length);
            now = new Answers(version, new int[size]);
            current = now;
        }
        return now.slots;
    }
}
