package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import winnow.tests.benchmark.rows.Row.Generated;

/// The plainest fast index whose classes of values are fixed: a bitmap of conjunctions for each
/// attribute and each of its values, or each of 64 cells of its range, ANDed 64 conjunctions at a
/// time; only survivors are tested. Used by one thread.
final class StaticBitmaps implements StaticStructure {
    private static final int CELLS = 64;

    private final List<List<Atom>> conjunctions = new ArrayList<>();
    private final int[] selectorOf;

    /// The first conjunction of each selector, and the end of the last one's.
    private final int[] firstOf;

    private final long[][][] bitmaps;
    private final List<Map<Integer, Integer>> bucketOfValue = new ArrayList<>();
    private final int[] cellWidth;

    /// The lowest value of each bucket.
    private final int[][] firstOfBucket;

    /// The conjunctions that are there.
    private final long[] present;

    private final long[] left;
    private final BitSet told;
    private final boolean alternatives;

    StaticBitmaps(List<Generated> selectors, List<Message> messages, Row row) {
        List<Integer> owners = new ArrayList<>();
        firstOf = new int[selectors.size() + 1];
        for (int i = 0; i < selectors.size(); i++) {
            firstOf[i + 1] = firstOf[i] + selectors.get(i).conjunctions().size();
            for (List<Atom> atoms : selectors.get(i).conjunctions()) {
                conjunctions.add(atoms);
                owners.add(i);
            }
        }
        selectorOf = owners.stream().mapToInt(Integer::intValue).toArray();
        alternatives = selectorOf.length > selectors.size();
        told = new BitSet(selectors.size());
        present = new long[(conjunctions.size() + 63) / 64];
        left = new long[present.length];
        bitmaps = new long[row.attributes()][][];
        firstOfBucket = new int[row.attributes()][];
        cellWidth = new int[row.attributes()];
        for (int attribute = 0; attribute < row.attributes(); attribute++) {
            findBuckets(attribute, row, messages);
        }
        for (int i = 0; i < selectors.size(); i++) {
            add(i);
        }
    }

    @Override
    public void add(int selector) {
        for (int i = firstOf[selector]; i < firstOf[selector + 1]; i++) {
            present[i >> 6] |= 1L << i;
            for (Atom atom : conjunctions.get(i)) {
                clear(i, atom);
            }
        }
    }

    /// Leaves nothing of it, so that its bits could be another one's.
    @Override
    public void remove(int selector) {
        for (int i = firstOf[selector]; i < firstOf[selector + 1]; i++) {
            present[i >> 6] &= ~(1L << i);
            for (Atom atom : conjunctions.get(i)) {
                for (long[] bits : bitmaps[atom.attribute()]) {
                    bits[i >> 6] |= 1L << i;
                }
            }
        }
    }

    /// Makes a bitmap for each bucket that values are in, and after these one of messages without a
    /// value and one of those with a value of another type.
    private void findBuckets(int attribute, Row row, List<Message> messages) {
        int most = 0;
        for (Message message : messages) {
            most = Math.max(most, message.value(attribute));
        }
        int width = row.isText(attribute) ? 1 : most / CELLS + 1;
        Map<Integer, Integer> buckets = new HashMap<>();
        for (Message message : messages) {
            if (message.value(attribute) >= 0) {
                buckets.putIfAbsent(message.value(attribute) / width, buckets.size());
            }
        }
        cellWidth[attribute] = width;
        bucketOfValue.add(buckets);
        firstOfBucket[attribute] = new int[buckets.size()];
        buckets.forEach((cell, bucket) -> firstOfBucket[attribute][bucket] = cell * width);
        bitmaps[attribute] = new long[buckets.size() + 2][left.length];
        for (long[] bits : bitmaps[attribute]) {
            Arrays.fill(bits, -1L);
        }
    }

    /// Takes a conjunction out of the buckets in which one of its atoms cannot be true.
    private void clear(int conjunction, Atom atom) {
        long[][] of = bitmaps[atom.attribute()];
        int[] firsts = firstOfBucket[atom.attribute()];
        int width = cellWidth[atom.attribute()];
        for (int bucket = 0; bucket < of.length; bucket++) {
            boolean may =
                    bucket < firsts.length
                            ? mayPass(atom, firsts[bucket], width)
                            : atom.test(
                                    bucket == firsts.length ? Message.MISSING : Message.OTHER_TYPE);
            if (!may) {
                of[bucket][conjunction >> 6] &= ~(1L << conjunction);
            }
        }
    }

    private static boolean mayPass(Atom atom, int first, int width) {
        if (width == 1) {
            return atom.test(first);
        }
        int last = first + width - 1;
        return switch (atom.kind()) {
            case RANGE -> atom.operands()[0] <= last && first <= atom.operands()[1];
            case OUTSIDE -> first < atom.operands()[0] || atom.operands()[1] < last;
            case MISSING -> false;
            case ONE_OF, NONE_OF, PREFIX -> true;
        };
    }

    @Override
    public void match(int[] values, IntConsumer sink) {
        System.arraycopy(present, 0, left, 0, left.length);
        for (int attribute = 0; attribute < bitmaps.length; attribute++) {
            long[] bits = bitmaps[attribute][bucket(attribute, values[attribute])];
            for (int word = 0; word < left.length; word++) {
                left[word] &= bits[word];
            }
        }
        tell(values, sink);
    }

    private int bucket(int attribute, int value) {
        int missing = bitmaps[attribute].length - 2;
        if (value < 0) {
            return value == Message.MISSING ? missing : missing + 1;
        }
        Integer bucket = bucketOfValue.get(attribute).get(value / cellWidth[attribute]);
        if (bucket == null) {
            throw new IllegalArgumentException("no message had the value " + value);
        }
        return bucket;
    }

    private void tell(int[] values, IntConsumer sink) {
        if (alternatives) {
            told.clear();
        }
        for (int word = 0; word < left.length; word++) {
            for (long bits = left[word]; bits != 0; bits &= bits - 1) {
                int i = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (all(conjunctions.get(i), values) && isNew(selectorOf[i])) {
                    sink.accept(selectorOf[i]);
                }
            }
        }
    }

    private boolean isNew(int selector) {
        if (!alternatives) {
            return true;
        }
        boolean isNew = !told.get(selector);
        told.set(selector);
        return isNew;
    }

    private static boolean all(List<Atom> atoms, int[] values) {
        for (Atom atom : atoms) {
            if (!atom.test(values[atom.attribute()])) {
                return false;
            }
        }
        return true;
    }
}
