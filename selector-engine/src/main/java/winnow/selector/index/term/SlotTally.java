package winnow.selector.index.term;

import winnow.selector.index.structure.HashChains;
import winnow.selector.slot.SlotValues;

/// Counts how often sampled messages had a string in a slot that some selector compares with, and
/// how often any other string. Rates of constants that were not counted themselves are estimated
/// from it. Any thread counts, without locks; the writer reads and decays.
public final class SlotTally {

    private static final int WINDOW = 4_096;
    private static final int MIN_MESSAGES = 64;

    /// Number of the sampled message since which it counts; negative before the first.
    private long since = -1;

    private int known;
    private int unknown;

    /// Bit i is set if an unknown string had the hash i, which gives an estimate of how many
    /// different ones there are: linear counting.
    private long unknownHashes;

    private double distinctBefore = 1;

    void count(SlotValues values, int slot) {
        if (values.kind(slot) != SlotValues.STRING) {
            return;
        }
        if (values.constant(slot) != SlotValues.NO_CONSTANT) {
            known++;
            return;
        }
        unknown++;
        byte[] text = values.text(slot);
        int start = values.textOffset(slot);
        long hash = 0;
        for (int i = 0; i < values.textLength(slot); i++) {
            hash = HashChains.hash(hash, text[start + i]);
        }
        unknownHashes |= 1L << (hash >>> 58);
    }

    /// Makes older messages weigh less. Writer only.
    void decay(long now) {
        if (since < 0) {
            since = now;
            known = 0;
            unknown = 0;
        } else if (now - since > WINDOW) {
            known /= 2;
            unknown /= 2;
            distinctBefore = distinct();
            unknownHashes = 0;
            since = now - WINDOW / 2;
        }
    }

    /// For what part of the messages one of so many constants is likely to be the value, negative
    /// if that cannot be told yet. Writer only.
    public double likelyHitRate(int constants, long now) {
        if (since < 0 || now - since < MIN_MESSAGES) {
            return -1;
        }
        double messages = now - since;
        double asKnown = known / messages / Math.max(1, constants);
        double asUnknown = unknown / messages / Math.max(distinct(), distinctBefore);
        return Math.max(asKnown, asUnknown);
    }

    private double distinct() {
        int zeros = Long.SIZE - Long.bitCount(unknownHashes);
        return Math.max(1, Long.SIZE * Math.log((double) Long.SIZE / Math.max(1, zeros)));
    }
}
