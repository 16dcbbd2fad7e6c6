package winnow.selector.index.term;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import winnow.selector.expression.SuffixRange;
import winnow.selector.index.structure.HashChains;
import winnow.selector.slot.SlotValues;

/// Terms by a range of the number at the end of a string: a hash table from what is before the
/// number to the intervals of the numbers. Prefixes whose hashes collide share their intervals,
/// which costs a test and nothing else. One writer, many readers.
public final class Suffixes {

    private final HashChains<Intervals> byPrefix = new HashChains<>();
    private final long hashSeed;

    Suffixes(long hashSeed) {
        this.hashSeed = hashSeed;
    }

    public void add(SuffixTerm term) {
        long hash = hash(term);
        Intervals intervals = find(hash);
        if (intervals == null) {
            intervals = new Intervals();
            byPrefix.add(hash, intervals);
        }
        intervals.add(term);
    }

    public void remove(SuffixTerm term) {
        long hash = hash(term);
        Intervals intervals = find(hash);
        if (intervals == null) {
            throw new IllegalStateException("no such prefix");
        }
        intervals.remove(term);
        if (intervals.isEmpty()) {
            byPrefix.remove(hash, intervals);
        }
    }

    /// Looks up the string of a slot. Any thread.
    void probe(SlotValues values, int slot, TermVisitor matching) {
        byte[] text = values.text(slot);
        int start = values.textOffset(slot);
        int end = start + values.textLength(slot);
        int digits = end;
        while (digits > start && isDigit(text[digits - 1])) {
            digits--;
        }
        if (digits == end) {
            return;
        }
        Intervals intervals = find(hash(text, start, digits));
        if (intervals != null) {
            intervals.probe(number(text, digits, end), matching);
        }
    }

    private @Nullable Intervals find(long hash) {
        for (var link = byPrefix.bucket(hash); link != null; link = link.next) {
            if (link.key == hash) {
                return link.value;
            }
        }
        return null;
    }

    private static double number(byte[] text, int from, int to) {
        if (to - from > SuffixRange.MAX_DIGITS) {
            return Double.POSITIVE_INFINITY;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            number = number * 10 + (text[i] - '0');
        }
        return number;
    }

    private long hash(SuffixTerm term) {
        byte[] prefix = term.prefix().getBytes(UTF_8);
        return hash(prefix, 0, prefix.length);
    }

    private long hash(byte[] text, int from, int to) {
        long hash = hashSeed;
        for (int i = from; i < to; i++) {
            hash = HashChains.hash(hash, text[i]);
        }
        return hash;
    }

    private static boolean isDigit(byte value) {
        return value >= '0' && value <= '9';
    }
}
