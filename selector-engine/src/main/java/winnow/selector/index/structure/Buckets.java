package winnow.selector.index.structure;

import winnow.selector.slot.SlotValues;

/// Divides the values of a slot into up to 32 classes, so that a bitmap for each class can tell
/// which selectors may be true for a message. A set of classes is a mask with a bit for each.
///
/// Class 0 is for no value; 1 for strings that no selector compares with, booleans, NaN and values
/// of other types. The others are shared by the constants and the cells of numbers of the slot. A
/// slot that is compared with few strings has 8 or 16 classes: bitmaps take less memory then.
/// Immutable.
public final class Buckets {
    /// The most there are.
    private static final int COUNT = 32;

    private static final int FEW = 8;
    private static final int SOME = 16;

    /// Every value, and none.
    public static final int ALL = -1;

    /// No value.
    public static final int MISSING = 1;

    /// Any value.
    public static final int PRESENT = ~MISSING;

    private static final int OTHER = 1;
    private static final int FIRST = 2;

    private final Scale scale;
    private final int count;
    private final int constants;

    /// Constants with lower numbers have a class of their own: they were named first, which the
    /// frequent ones usually are.
    private final int alone;

    private final int firstCell;

    /// @param count of all classes
    /// @param constants how many classes are for constants; the rest is for cells of numbers
    /// @param alone how many of them are for one constant
    private Buckets(Scale scale, int count, int constants, int alone) {
        this.scale = scale;
        this.count = count;
        this.constants = constants;
        this.alone = alone;
        this.firstCell = FIRST + constants;
    }

    /// Of a slot that is compared with strings only.
    ///
    /// @param constants how many different ones there are; more may come
    public static Buckets ofStrings(int constants) {
        int count = countFor(constants);
        int classes = count - FIRST;
        return new Buckets(
                Scale.ONE_CELL, count, classes, count == COUNT ? classes / 2 : classes - 1);
    }

    /// Of a slot that is compared with numbers only.
    public static Buckets ofNumbers(Scale scale) {
        return new Buckets(scale, COUNT, 0, 0);
    }

    /// Of a slot that is compared with both.
    public static Buckets ofBoth(Scale scale) {
        int constants = (COUNT - FIRST) / 2;
        return new Buckets(scale, COUNT, constants, constants / 2);
    }

    private static int countFor(int constants) {
        if (constants < FEW - FIRST) {
            return FEW;
        }
        return constants < SOME - FIRST ? SOME : COUNT;
    }

    /// Number of classes.
    public int count() {
        return count;
    }

    /// True if there would be more classes for so many constants.
    public boolean areTooFewFor(int strings) {
        return count < countFor(strings);
    }

    /// All classes that there are.
    public int all() {
        return ALL >>> (Integer.SIZE - count);
    }

    /// The class of a message's value.
    ///
    /// @param slot that the message holds
    public int of(SlotValues values, int slot) {
        return switch (values.kind(slot)) {
            case SlotValues.MISSING -> 0;
            case SlotValues.STRING -> ofConstant(values.constant(slot));
            case SlotValues.EXACT -> ofNumber((double) values.exact(slot));
            case SlotValues.FLOAT, SlotValues.DOUBLE -> ofNumber(values.approximate(slot));
            default -> OTHER;
        };
    }

    private int ofConstant(int constant) {
        if (constant < 0 || constants == 0) {
            return OTHER;
        }
        return FIRST + (constant < alone ? constant : alone + constant % (constants - alone));
    }

    private int ofNumber(double number) {
        return Double.isNaN(number) ? OTHER : ofCell(scale.cellOf(number));
    }

    private int ofCell(int cell) {
        return firstCell == count ? OTHER : firstCell + cell * (count - firstCell) / Scale.CELLS;
    }

    /// The classes that one constant may be in.
    public int maskOfConstant(int constant) {
        return 1 << ofConstant(constant);
    }

    /// True if no other value is in the class of a constant.
    public boolean isAlone(int constant) {
        return constant < alone;
    }

    /// The classes that all other values than one constant may be in.
    public int maskOfAllBut(int constant) {
        return isAlone(constant) ? ~maskOfConstant(constant) : ALL;
    }

    /// The classes that strings and values of other types may be in.
    public int maskOfStrings() {
        return (int) ((1L << firstCell) - 1) & PRESENT;
    }

    /// The classes that numbers may be in which are in some cells of [#scale].
    ///
    /// @param first of the cells
    /// @param last of them, not lower
    public int maskOfCells(int first, int last) {
        return (int) ((2L << ofCell(last)) - (1L << ofCell(first)));
    }

    /// Scale that divides the numbers into cells.
    public Scale scale() {
        return scale;
    }
}
