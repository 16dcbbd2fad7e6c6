package winnow.tests.benchmark.rows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import winnow.tests.benchmark.rows.Row.Generated;

/// The least that any index has to keep besides the static structure of a workload, as a floor for
/// the heap: what is tested exactly, packed; a handle per selector, by which it is removed; and a
/// table that finds a selector that is there already, because identical ones are tested once. There
/// is no room for more selectors, and nothing lets others match while one is added. Immutable.
final class LeastHeap {
    private static final int LARGEST_SELECTOR = 1024;
    private static final List<Atom.Kind> KINDS = List.of(Atom.Kind.values());

    /// One place more for every so many selectors in the table.
    private static final int SELECTORS_PER_FREE_PLACE = 3;

    /// @param subscriber who gets the messages
    /// @param selector what to take out when the subscriber leaves
    private record Handle(Integer subscriber, int selector) {}

    /// By selector, and one more, where its tests begin.
    private final int[] offsets;

    /// Of all selectors: the number of conjunctions, then for each the number of atoms, then for
    /// each of these the attribute, the kind, and the number of operands with these. A number takes
    /// 8 bytes, because messages have numbers of 64 bits; a string is the number of a constant.
    private final byte[] tests;

    /// By selector.
    private final Handle[] handles;

    /// Selectors by the hash of their tests, plus one.
    private final int[] places;

    /// @param subscribers by selector; they are not part of it
    LeastHeap(Workload workload, Integer[] subscribers) {
        int count = workload.count();
        handles = new Handle[count];
        for (int i = 0; i < count; i++) {
            handles[i] = new Handle(subscribers[i], i);
        }
        if (workload.row() == Row.SYMBOL_AND_RANGE) {
            // The columns have the tests, and find a selector by its symbol and its bounds.
            offsets = new int[0];
            tests = new byte[0];
            places = new int[0];
            return;
        }
        List<byte[]> all = workload.selectors().stream().map(LeastHeap::packed).toList();
        offsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            offsets[i + 1] = offsets[i] + all.get(i).length;
        }
        tests = new byte[offsets[count]];
        places = new int[count + count / SELECTORS_PER_FREE_PLACE + 1];
        for (int i = 0; i < count; i++) {
            System.arraycopy(all.get(i), 0, tests, offsets[i], all.get(i).length);
            int place = placeOf(all.get(i));
            if (places[place] == 0) {
                places[place] = i + 1;
            }
        }
    }

    private static byte[] packed(Generated selector) {
        ByteBuffer packed = ByteBuffer.allocate(LARGEST_SELECTOR);
        packed.put((byte) selector.conjunctions().size());
        for (List<Atom> atoms : selector.conjunctions()) {
            packed.put((byte) atoms.size());
            for (Atom atom : atoms) {
                packed.put((byte) atom.attribute());
                packed.put((byte) KINDS.indexOf(atom.kind()));
                packed.put((byte) atom.operands().length);
                for (int operand : atom.operands()) {
                    if (isOfNumbers(atom.kind())) {
                        packed.putLong(operand);
                    } else {
                        packed.putInt(operand);
                    }
                }
            }
        }
        return Arrays.copyOf(packed.array(), packed.position());
    }

    private static boolean isOfNumbers(Atom.Kind kind) {
        return kind == Atom.Kind.RANGE || kind == Atom.Kind.OUTSIDE;
    }

    /// Where a selector is noted, or the free place for it.
    private int placeOf(byte[] packed) {
        int place = Math.floorMod(Arrays.hashCode(packed) * 0x9E37_79B9, places.length);
        while (places[place] != 0 && !isEqual(places[place] - 1, packed)) {
            place = (place + 1) % places.length;
        }
        return place;
    }

    private boolean isEqual(int selector, byte[] packed) {
        return Arrays.equals(
                tests, offsets[selector], offsets[selector + 1], packed, 0, packed.length);
    }

    /// The number of a selector with the same tests, -1 if there is none.
    int find(Generated selector) {
        return places[placeOf(packed(selector))] - 1;
    }

    Integer subscriber(int selector) {
        return handles[selector].subscriber;
    }

    /// True if a selector is true for a message.
    ///
    /// @param values by attribute, as [Message#value] tells them
    boolean test(int selector, int[] values) {
        ByteBuffer packed = ByteBuffer.wrap(tests).position(offsets[selector]);
        boolean any = false;
        for (int conjunctions = packed.get(); conjunctions > 0; conjunctions--) {
            boolean all = true;
            for (int atoms = packed.get(); atoms > 0; atoms--) {
                int attribute = packed.get();
                Atom.Kind kind = KINDS.get(packed.get());
                int[] operands =
                        IntStream.range(0, packed.get())
                                .map(_ ->
                                        isOfNumbers(kind)
                                                ? Math.toIntExact(packed.getLong())
                                                : packed.getInt())
                                .toArray();
                all &= new Atom(attribute, kind, operands, false).test(values[attribute]);
            }
            any |= all;
        }
        return any;
    }
}
