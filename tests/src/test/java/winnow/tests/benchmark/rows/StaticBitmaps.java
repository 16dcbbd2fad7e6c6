package winnow.tests.benchmark.rows;

import winnow.tests.benchmark.rows.Row.Generated;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

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

    StaticBitmaps(List<Generated> selectors, List<Message> messages, Row row) {
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
        bitmaps = new long[row.attributes()][][];
        cellWidth = new int[row.attributes()];
        for (int attribute = 0; attribute < row.attributes(); attribute++) {
            bitmaps[attribute] = ofAttribute(attribute, row, messages, words);
        }
    }

    /// The bitmaps of an attribute: one for each bucket of values, then those of messages without a
    /// value and with one of another type.
    private long[][] ofAttribute(int attribute, Row row, List<Message> messages, int words) {
        int most = 0;
        for (Message message : messages) {
            most = Math.max(most, message.value(attribute));
        }
        int width = row.isText(attribute) ? 1 : most / CELLS + 1;
        cellWidth[attribute] = width;
        Map<Integer, Integer> buckets = new HashMap<>();
        List<Integer> used = new ArrayList<>();
        for (Message message : messages) {
            int value = message.value(attribute);
            if (value >= 0 && buckets.putIfAbsent(value / width, used.size()) == null) {
                used.add(value / width);
            }
        }
        bucketOfValue.add(buckets);
        long[][] of = new long[used.size() + 2][words];
        for (int i = 0; i < conjunctions.size(); i++) {
            List<Atom> tests = testsOf(conjunctions.get(i), attribute);
            for (int bucket = 0; bucket < used.size(); bucket++) {
                set(of[bucket], i, mayPass(tests, used.get(bucket), width));
            }
            set(of[used.size()], i, mayPass(tests, Message.MISSING, 1));
            set(of[used.size() + 1], i, mayPass(tests, Message.OTHER_TYPE, 1));
        }
        return of;
    }

    private static void set(long[] bits, int i, boolean value) {
        if (value) {
            bits[i >> 6] |= 1L << i;
        }
    }

    private static List<Atom> testsOf(List<Atom> atoms, int attribute) {
        List<Atom> tests = new ArrayList<>(1);
        for (Atom atom : atoms) {
            if (atom.attribute() == attribute) {
                tests.add(atom);
            }
        }
        return tests;
    }

    private static boolean mayPass(List<Atom> tests, int cell, int width) {
        for (Atom atom : tests) {
            if (width == 1 ? !atom.test(cell) : !mayPass(atom, cell * width, width)) {
                return false;
            }
        }
        return true;
    }

    private static boolean mayPass(Atom atom, int first, int width) {
        int last = first + width - 1;
        return switch (atom.kind()) {
            case RANGE -> atom.operands()[0] <= last && first <= atom.operands()[1];
            case OUTSIDE -> first < atom.operands()[0] || atom.operands()[1] < last;
            case MISSING -> false;
            case ONE_OF, NONE_OF, PREFIX -> true;
        };
    }

    /// Calls the consumer with each selector that is true for the message, once.
    void match(Message message, IntConsumer sink) {
        Arrays.fill(left, -1L);
        left[left.length - 1] = -1L >>> (-conjunctions.size() & 63);
        for (int attribute = 0; attribute < bitmaps.length; attribute++) {
            long[] bits = bitmaps[attribute][bucket(attribute, message.value(attribute))];
            for (int word = 0; word < left.length; word++) {
                left[word] &= bits[word];
            }
        }
        tell(message, sink);
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

    private void tell(Message message, IntConsumer sink) {
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

    private static boolean all(List<Atom> atoms, Message message) {
        for (Atom atom : atoms) {
            if (!atom.test(message.value(atom.attribute()))) {
                return false;
            }
        }
        return true;
    }
}
