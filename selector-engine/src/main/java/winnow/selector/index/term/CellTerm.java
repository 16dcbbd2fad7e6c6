package winnow.selector.index.term;

import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Scale;
import winnow.selector.slot.SlotValues;

/// True for the numbers of one group of [Cells]. No selector asks for it; those that ask for a
/// range within it are found by it.
public final class CellTerm extends SharedTerm {
    /// That of a group is more than those of narrower keys, and less than that of a scan.
    private static final int LEAST_BREADTH = 10;

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

    public int place() {
        return place;
    }

    /// The lowest of its numbers, -infinity if there is none.
    public double lowest() {
        return cells.scale().lowest(place * size() - Scale.CELLS);
    }

    /// The lowest number that is too high for it, +infinity if there is none.
    public double limit() {
        return cells.scale().limit((place + 1) * size() - 1 - Scale.CELLS);
    }

    /// Number of cells that are in it.
    private int size() {
        return Scale.CELLS / Integer.highestOneBit(place);
    }

    @Override
    public boolean test(SlotValues values, TermVisitor matching) {
        return testUnremembered(values);
    }

    @Override
    public boolean testUnremembered(SlotValues values) {
        int slot = probe.slot();
        return switch (values.kind(slot)) {
            case SlotValues.EXACT -> holds((double) values.exact(slot));
            case SlotValues.FLOAT, SlotValues.DOUBLE -> holds(values.approximate(slot));
            default -> false;
        };
    }

    private boolean holds(double number) {
        return !Double.isNaN(number) && holds(cells.scale().cellOf(number));
    }

    /// True if a cell of its scale is in it.
    boolean holds(int cell) {
        return (Scale.CELLS + cell) / size() == place;
    }

    @Override
    public void write(TestWriter row) {
        row.ask();
    }

    @Override
    public int effort() {
        return 5;
    }

    @Override
    public double cost() {
        return cost((double) size() / Scale.CELLS);
    }

    @Override
    int breadth() {
        return LEAST_BREADTH + size();
    }

    @Override
    public KeyKind kind() {
        return KeyKind.RANGE;
    }

    /// It is found from the start, because this is also how equal terms are.
    @Override
    void enter() {}

    @Override
    void leave() {}

    @Override
    void dispose(Terms terms) {
        cells.remove(this);
        if (cells.isEmpty()) {
            probe.forget(cells);
        }
        terms.forget(this);
    }
}
