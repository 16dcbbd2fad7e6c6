package winnow.selector.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.selector.SlotRegistry;
import winnow.selector.SlotValues;
import winnow.selector.Slots;

/// Notes which slots and constants a predicate was compiled with, so that they can be given back.
/// Writer only.
final class SlotUses implements SlotRegistry {

    private static final int MAX_SHARED = 1_024;

    private final Slots slots;
    private long[] noted = new long[8];
    private int count;

    /// By slot.
    private long[] @Nullable [] ofSlotAlone = new long[0][];

    SlotUses(Slots slots) {
        this.slots = slots;
    }

    @Override
    public int require(String name) {
        int slot = slots.require(name);
        note(slot, SlotValues.NO_CONSTANT);
        return slot;
    }

    @Override
    public int requireConstant(int slot, byte[] utf8) {
        int constant = slots.requireConstant(slot, utf8);
        note(slot, constant);
        return constant;
    }

    /// Each use as slot and constant, the latter -1 for the slot itself; forgets them. Most
    /// predicates use a slot and nothing else, and these share an array.
    long[] take() {
        int slot = slot(noted[0]);
        if (count != 1 || slot >= MAX_SHARED) {
            long[] taken = Arrays.copyOf(noted, count);
            count = 0;
            return taken;
        }
        count = 0;
        if (slot >= ofSlotAlone.length) {
            ofSlotAlone = Arrays.copyOf(ofSlotAlone, slot + 1);
        }
        long[] known = ofSlotAlone[slot];
        if (known == null) {
            known = new long[] {noted[0]};
            ofSlotAlone[slot] = known;
        }
        return known;
    }

    static int slot(long use) {
        return (int) (use >> Integer.SIZE);
    }

    /// The highest slot among uses.
    static int newestSlot(long[] uses) {
        int newest = 0;
        for (long use : uses) {
            newest = Math.max(newest, slot(use));
        }
        return newest;
    }

    /// Gives uses back, constants before their slots.
    void release(long[] uses) {
        for (int i = uses.length - 1; i >= 0; i--) {
            int constant = (int) uses[i];
            if (constant == SlotValues.NO_CONSTANT) {
                slots.release(slot(uses[i]));
            } else {
                slots.releaseConstant(slot(uses[i]), constant);
            }
        }
    }

    private void note(int slot, int constant) {
        if (count == noted.length) {
            noted = Arrays.copyOf(noted, 2 * count);
        }
        noted[count++] = (long) slot << Integer.SIZE | (constant & 0xFFFF_FFFFL);
    }
}
