package winnow.selector.slot;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Notes which slots and constants a predicate was compiled with, so that they can be given back:
/// when its term goes, or at once if there will be no term. Writer only.
public final class SlotUses implements SlotRegistry {

    private static final int MAX_SHARED = 1_024;

    private final Slots slots;
    private final SlotRegistry registry;
    private long[] noted = new long[8];
    private int count;

    /// By slot.
    private long[] @Nullable [] ofSlotAlone = new long[0][];

    public SlotUses(Slots slots) {
        this(slots, slots);
    }

    /// @param registry what gives the slots out
    public SlotUses(Slots slots, SlotRegistry registry) {
        this.slots = slots;
        this.registry = registry;
    }

    @Override
    public int require(String name) {
        int slot = registry.require(name);
        note(slot, SlotValues.NO_CONSTANT);
        return slot;
    }

    @Override
    public int requireConstant(int slot, byte[] utf8) {
        int constant = registry.requireConstant(slot, utf8);
        note(slot, constant);
        return constant;
    }

    /// Each use as slot and constant, the latter -1 for the slot itself; forgets them. Most
    /// predicates use a slot and nothing else, and these share an array.
    public long[] take() {
        int slot = slot(noted[0]);
        if (count != 1 || slot >= MAX_SHARED) {
            long[] taken = Arrays.copyOf(noted, count);
            count = 0;
            return taken;
        }
        if (slot >= ofSlotAlone.length) {
            ofSlotAlone = Arrays.copyOf(ofSlotAlone, slot + 1);
        }
        long[] known = ofSlotAlone[slot];
        if (known == null) {
            known = new long[] {noted[0]};
            ofSlotAlone[slot] = known;
        }
        count = 0;
        return known;
    }

    /// Leaves what was noted to somebody who knows it.
    public void forget() {
        count = 0;
    }

    /// Gives what was noted back, because nothing came of it.
    public void undo() {
        release(noted, count);
        count = 0;
    }

    public static int slot(long use) {
        return (int) (use >> Integer.SIZE);
    }

    /// The highest slot among uses.
    public static int newestSlot(long[] uses) {
        int newest = 0;
        for (long use : uses) {
            newest = Math.max(newest, slot(use));
        }
        return newest;
    }

    /// Gives uses back, constants before their slots.
    public void release(long[] uses) {
        release(uses, uses.length);
    }

    private void release(long[] uses, int length) {
        for (int i = length - 1; i >= 0; i--) {
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
