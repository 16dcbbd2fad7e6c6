package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import winnow.tests.benchmark.rows.Row.Generated;

/// The plainest fast index that cannot be changed: a bitmap of conjunctions for each attribute and
/// each of its values, or each of 64 cells of its range, ANDed 64 conjunctions at a time; only
/// survivors are tested. Used by one thread.
final class StaticBitmaps {
    private static final int CELLS = 64;

    private final List<List<Atom>> conjunctions = new ArrayList<>();
    private final int[] selectorOf;
    private final long[][][] bitmaps;
    private final List<Map<Integer, Integer>> bucketOfValue = new ArrayList<>();
    private final int[] cellWidth;
    private final long[] left;
    private final BitSet told;
    private final boolean alternatives;

    StaticBitmaps(List<Generated> selectors, List<@Nullable Integer[]> messages, Row row) {
        List<Integer> owners = new ArrayList<>();
        for (int i = 0; i < selectors.size(); i++) {
            for (List<Atom> atoms : selectors.get(i).conjunctions()) {
                conjunctions.add(atoms);
                owners.add(i);
            }
        }
        selectorOf = owners.stream().mapToInt(Integer::intValue).toArray();
        alternatives = selectorOf.length > selectors.size();
        told = new BitSet(selectors.size());
        int words = (conjunctions.size() + 63) / 64;
        left = new long[words];
        bitmaps = new long[row.attributes][][];
        cellWidth = new int[row.attributes];
        for (int attribute = 0; attribute < row.attributes; attribute++) {
            bitmaps[attribute] = ofAttribute(attribute, row, messages, words);
        }
    }

    private long[][] ofAttribute(
            int attribute, Row row, List<@Nullable Integer[]> messages, int words) {
        int most = 0;
        for (@Nullable Integer[] message : messages) {
            Integer value = message[attribute];
            most = value == null ? most : Math.max(most, value);
        }
        cellWidth[attribute] = row.isText(attribute) ? 1 : most / CELLS + 1;
        int cells = most / cellWidth[attribute] + 1;
        Map<Integer, Integer> buckets = new HashMap<>();
        List<Integer> used = new ArrayList<>();
        for (@Nullable Integer[] message : messages) {
            Integer value = message[attribute];
            if (value != null
                    && buckets.putIfAbsent(value / cellWidth[attribute], used.size()) == null) {
                used.add(value / cellWidth[attribute]);
            }
        }
        bucketOfValue.add(buckets);
        if (used.size() > Math.max(cells, 1)) {
            throw new IllegalStateException("more buckets than cells");
        }
        long[][] of = new long[used.size() + 1][words];
        for (int i = 0; i < conjunctions.size(); i++) {
            List<Atom> tests = testsOf(conjunctions.get(i), attribute);
            for (int bucket = 0; bucket <= used.size(); bucket++) {
                if (bucket == used.size()
                        ? mayPass(tests, null, 1)
                        : mayPass(tests, used.get(bucket), cellWidth[attribute])) {
                    of[bucket][i >> 6] |= 1L << i;
                }
            }
        }
        return of;
    }

    private static List<Atom> testsOf(List<Atom> atoms, int attribute) {
        return atoms.stream().filter(atom -> atom.attribute() == attribute).toList();
    }

    private static boolean mayPass(List<Atom> tests, @Nullable Integer cell, int width) {
        for (Atom atom : tests) {
            boolean may =
                    cell == null
                            ? atom.test(null)
                            : atom.kind() == Atom.Kind.RANGE
                                    ? atom.operands()[0] < (cell + 1) * width
                                            && atom.operands()[1] >= cell * width
                                    : width > 1 || atom.test(cell);
            if (!may) {
                return false;
            }
        }
        return true;
    }

    /// Calls the consumer with each selector that is true for the message, once.
    void match(@Nullable Integer[] message, IntConsumer sink) {
        Arrays.fill(left, -1L);
        left[left.length - 1] = -1L >>> (-conjunctions.size() & 63);
        for (int attribute = 0; attribute < bitmaps.length; attribute++) {
            Integer value = message[attribute];
            long[][] of = bitmaps[attribute];
            int bucket =
                    value == null
                            ? of.length - 1
                            : bucketOfValue
                                    .get(attribute)
                                    .getOrDefault(value / cellWidth[attribute], of.length - 1);
            long[] bits = of[bucket];
            for (int word = 0; word < left.length; word++) {
                left[word] &= bits[word];
            }
        }
        tell(message, sink);
    }

    private void tell(@Nullable Integer[] message, IntConsumer sink) {
        if (alternatives) {
            told.clear();
        }
        for (int word = 0; word < left.length; word++) {
            for (long bits = left[word]; bits != 0; bits &= bits - 1) {
                int i = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (all(conjunctions.get(i), message) && isNew(selectorOf[i])) {
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

    private static boolean all(List<Atom> atoms, @Nullable Integer[] message) {
        for (Atom atom : atoms) {
            if (!atom.test(message[atom.attribute()])) {
                return false;
            }
        }
        return true;
    }
}
