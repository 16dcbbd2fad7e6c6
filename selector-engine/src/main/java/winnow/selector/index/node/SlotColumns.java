package winnow.selector.index.node;

/// Which column of a [Block] a slot has. A hash table, because for each selector that comes or goes
/// each of its terms asks for its column. Immutable.
final class SlotColumns {
    static final int NONE = -1;

    /// A power of two, several times as many as there are columns at most.
    private static final int PLACES = 4 * Integer.highestOneBit(Columns.MAX_COLUMNS);

    /// Without any columns.
    static final SlotColumns EMPTY = new SlotColumns(new int[0]);

    private final int[] slots;

    /// A column plus one, 0 for nothing; from the place of its slot on, the first that was free.
    private final byte[] columns = new byte[PLACES];

    /// @param slots by column, all different
    SlotColumns(int[] slots) {
        this.slots = slots;
        for (int column = 0; column < slots.length; column++) {
            int place = placeOf(slots[column]);
            while (columns[place] != 0) {
                place = after(place);
            }
            columns[place] = (byte) (column + 1);
        }
    }

    /// The column of a slot, or [#NONE].
    int of(int slot) {
        int place = placeOf(slot);
        while (columns[place] != 0) {
            int column = columns[place] - 1;
            if (slots[column] == slot) {
                return column;
            }
            place = after(place);
        }
        return NONE;
    }

    private static int placeOf(int slot) {
        return slot & PLACES - 1;
    }

    private static int after(int place) {
        return place + 1 & PLACES - 1;
    }
}
