package winnow.selector.index;

import winnow.selector.slot.SlotValues;

/// True for the numbers of one group of [Cells]. No selector asks for it; those that ask for a
/// range within it, or partly within it, are found by it.
final class CellTerm extends Term {
    private final Cells cells;
    private final int place;

    CellTerm(SlotProbe probe, int number, Cells cells, int place) {
        super(probe, number);
        this.cells = cells;
        this.place = place;
    }

    Cells cells() {
        return cells;
    }

    int place() {
        return place;
    }

    /// The lowest of its numbers, -infinity if there is none.
    double lowest() {
        return cells.scale().lowest(place * size() - Scale.CELLS);
    }

    /// The lowest number that is too high for it, +infinity if there is none.
    double limit() {
        return cells.scale().limit((place + 1) * size() - 1 - Scale.CELLS);
    }

    /// How many cells are in it.
    private int size() {
        return Scale.CELLS / Integer.highestOneBit(place);
    }

    @Override
    boolean test(SlotValues values, TermVisitor matching) {
        return testUnremembered(values);
    }

    @Override
    boolean testUnremembered(SlotValues values) {
        int slot = probe.slot();
        return switch (values.kind(slot)) {
            case SlotValues.EXACT -> holds((double) values.exact(slot));
            case SlotValues.FLOAT, SlotValues.DOUBLE -> holds(values.approximate(slot));
            default -> false;
        };
    }

    private boolean holds(double number) {
        return !Double.isNaN(number)
                && (Scale.CELLS + cells.scale().cellOf(number)) / size() == place;
    }

    @Override
    void write(TestWriter row) {
        row.ask();
    }

    @Override
    int effort() {
        return 5;
    }

    @Override
    double cost() {
        return cost((double) size() / Scale.CELLS);
    }

    @Override
    Plan.Kind kind() {
        return Plan.Kind.RANGE;
    }

    /// It is found from the start, because this is also how equal terms are.
    @Override
    void link() {}

    @Override
    void unlink() {}

    @Override
    void dispose(Terms terms) {
        cells.remove(this);
        if (cells.isEmpty()) {
            probe.forget(cells);
        }
        terms.forget(this);
    }
}
