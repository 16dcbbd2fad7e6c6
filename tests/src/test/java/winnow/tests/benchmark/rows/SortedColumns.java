package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import winnow.tests.benchmark.rows.Row.Generated;

/// What [Row#SYMBOL_AND_RANGE] could use at best: for each symbol the bounds of its ranges as two
/// columns, by the low bound. A change makes the columns of its symbol anew. Used by one thread.
final class SortedColumns implements StaticStructure {
    private final List<Generated> selectors;
    private final Map<Integer, Columns> bySymbol = new HashMap<>();

    private static final class Columns {
        final int[] lows;
        final int[] highs;
        final int[] selectors;

        Columns(int count) {
            lows = new int[count];
            highs = new int[count];
            selectors = new int[count];
        }

        void set(int i, Bounds bounds) {
            lows[i] = bounds.low;
            highs[i] = bounds.high;
            selectors[i] = bounds.selector;
        }

        void copy(int from, Columns to, int at, int count) {
            System.arraycopy(lows, from, to.lows, at, count);
            System.arraycopy(highs, from, to.highs, at, count);
            System.arraycopy(selectors, from, to.selectors, at, count);
        }
    }

    private record Bounds(int symbol, int low, int high, int selector) {}

    SortedColumns(List<Generated> selectors) {
        this.selectors = selectors;
        Map<Integer, List<Bounds>> all = new HashMap<>();
        for (int i = 0; i < selectors.size(); i++) {
            Bounds bounds = bounds(i);
            all.computeIfAbsent(bounds.symbol, _ -> new ArrayList<>()).add(bounds);
        }
        all.forEach((symbol, bounds) -> bySymbol.put(symbol, columns(bounds)));
    }

    private Bounds bounds(int selector) {
        List<Atom> atoms = selectors.get(selector).conjunctions().getFirst();
        int[] range = atoms.get(1).operands();
        return new Bounds(atoms.getFirst().operands()[0], range[0], range[1], selector);
    }

    private static Columns columns(List<Bounds> bounds) {
        bounds.sort(Comparator.comparingInt(Bounds::low));
        Columns columns = new Columns(bounds.size());
        for (int i = 0; i < bounds.size(); i++) {
            columns.set(i, bounds.get(i));
        }
        return columns;
    }

    @Override
    public void add(int selector) {
        Bounds added = bounds(selector);
        Columns old = bySymbol.getOrDefault(added.symbol, new Columns(0));
        int count = old.lows.length;
        int place = 0;
        while (place < count && old.lows[place] <= added.low) {
            place++;
        }
        Columns columns = new Columns(count + 1);
        old.copy(0, columns, 0, place);
        columns.set(place, added);
        old.copy(place, columns, place + 1, count - place);
        bySymbol.put(added.symbol, columns);
    }

    @Override
    public void remove(int selector) {
        Bounds removed = bounds(selector);
        Columns old = bySymbol.getOrDefault(removed.symbol, new Columns(0));
        int count = old.lows.length;
        int place = 0;
        while (old.selectors[place] != selector) {
            place++;
        }
        Columns columns = new Columns(count - 1);
        old.copy(0, columns, 0, place);
        old.copy(place + 1, columns, place, count - place - 1);
        bySymbol.put(removed.symbol, columns);
    }

    @Override
    public void match(int[] values, IntConsumer sink) {
        Columns columns = bySymbol.get(values[0]);
        int value = values[1];
        if (columns == null) {
            return;
        }
        for (int i = 0; i < columns.lows.length && columns.lows[i] <= value; i++) {
            if (columns.highs[i] >= value) {
                sink.accept(columns.selectors[i]);
            }
        }
    }
}
