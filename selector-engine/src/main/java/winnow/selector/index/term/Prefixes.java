package winnow.selector.index.term;

import java.util.Arrays;
import winnow.selector.index.structure.HashChains;
import winnow.selector.slot.SlotValues;

/// Terms by the plain text that a string begins with: one hash table, probed once for each length
/// that some prefix has. Hashes may collide, so what is found is tested. One writer, many readers.
public final class Prefixes {

    private static final int MAX_COUNTED = 256;

    /// Beginnings up to this length are no work to speak of: 60 ns.
    private static final int SHORT = 64;

    private final HashChains<PrefixTerm> terms = new HashChains<>();
    private final long hashSeed;

    /// The lengths in use, ascending, and how many terms have each; both replaced as a whole.
    private volatile int[] lengths = {};

    private int[] counts = {};

    Prefixes(long hashSeed) {
        this.hashSeed = hashSeed;
    }

    public void add(byte[] prefix, PrefixTerm term) {
        terms.add(hash(prefix), term);
        int at = Arrays.binarySearch(lengths, prefix.length);
        if (at >= 0) {
            counts[at]++;
            return;
        }
        int insertion = -at - 1;
        counts = with(counts, insertion, 1);
        lengths = with(lengths, insertion, prefix.length);
    }

    public void remove(byte[] prefix, PrefixTerm term) {
        terms.remove(hash(prefix), term);
        int at = Arrays.binarySearch(lengths, prefix.length);
        counts[at]--;
        if (counts[at] == 0) {
            counts = without(counts, at);
            lengths = without(lengths, at);
        }
    }

    /// Number of terms that have a prefix; stops counting at [#MAX_COUNTED].
    int sharing(byte[] prefix) {
        long hash = hash(prefix);
        int count = 0;
        for (var link = terms.bucket(hash); link != null && count < MAX_COUNTED; link = link.next) {
            count += link.key == hash ? 1 : 0;
        }
        return count;
    }

    /// Looks up the string of a slot. Any thread.
    void probe(SlotValues values, int slot, TermVisitor matching) {
        byte[] text = values.text(slot);
        int position = values.textOffset(slot);
        int start = position;
        int end = position + values.textLength(slot);
        long hash = hashSeed;
        for (int length : lengths) {
            if (start + length > end) {
                break;
            }
            for (; position < start + length; position++) {
                hash = HashChains.hash(hash, text[position]);
            }
            for (var link = terms.bucket(hash); link != null; link = link.next) {
                if (link.key == hash) {
                    matching.candidate(link.value);
                }
            }
        }
        if (position - start > SHORT) {
            values.scratch().scannedBytes += position - start;
        }
    }

    private long hash(byte[] prefix) {
        long hash = hashSeed;
        for (byte each : prefix) {
            hash = HashChains.hash(hash, each);
        }
        return hash;
    }

    private static int[] with(int[] array, int at, int value) {
        int[] more = new int[array.length + 1];
        System.arraycopy(array, 0, more, 0, at);
        more[at] = value;
        System.arraycopy(array, at, more, at + 1, array.length - at);
        return more;
    }

    private static int[] without(int[] array, int at) {
        int[] fewer = new int[array.length - 1];
        System.arraycopy(array, 0, fewer, 0, at);
        System.arraycopy(array, at + 1, fewer, at, fewer.length - at);
        return fewer;
    }
}
