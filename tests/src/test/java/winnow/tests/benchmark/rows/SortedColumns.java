package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import winnow.tests.benchmark.rows.Row.Generated;

/// What [Row#SYMBOL_AND_RANGE] could use at best: for each symbol the bounds of its ranges as two
/// columns, by the low bound. Cannot be changed. Used by one thread.
final class SortedColumns implements StaticStructure {
    private final Map<Integer, Columns> bySymbol = new HashMap<>();

    private static final class Columns {
        final int[] lows;
        final int[] highs;
        final int[] selectors;

        Columns(List<Bounds> byLow) {
            lows = byLow.stream().mapToInt(Bounds::low).toArray();
            highs = byLow.stream().mapToInt(Bounds::high).toArray();
            selectors = byLow.stream().mapToInt(Bounds::selector).toArray();
        }
    }

    private record Bounds(int low, int high, int selector) {}

    SortedColumns(List<Generated> selectors) {
        Map<Integer, List<Bounds>> all = new HashMap<>();
        for (int i = 0; i < selectors.size(); i++) {
            List<Atom> atoms = selectors.get(i).conjunctions().getFirst();
            int[] range = atoms.get(1).operands();
            all.computeIfAbsent(atoms.getFirst().operands()[0], _ -> new ArrayList<>())
                    .add(new Bounds(range[0], range[1], i));
        }
        all.forEach((symbol, bounds) -> bySymbol.put(symbol, columns(bounds)));
    }

    private static Columns columns(List<Bounds> bounds) {
        bounds.sort(Comparator.comparingInt(Bounds::low));
        return new Columns(bounds);
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
