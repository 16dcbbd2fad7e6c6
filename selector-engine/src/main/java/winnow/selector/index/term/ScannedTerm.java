package winnow.selector.index.term;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.selector.compile.NotANumber;
import winnow.selector.compile.Predicate;
import winnow.selector.compile.PresentUnless;
import winnow.selector.compile.StringDiffers;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.structure.Buckets;

/// A term that no value finds: it is tested, once, for every message that has its slot.
public final class ScannedTerm extends UnkeyedTerm {

    ScannedTerm(SlotProbe probe, int number, Predicate predicate, Object identity, long[] uses) {
        super(probe, number, predicate, identity, uses);
    }

    @Override
    public void write(TestWriter row) {
        int[] others = others();
        if (predicate() instanceof StringDiffers differs) {
            row.differs(differs.slot(), differs.constant());
        } else if (others != null && others.length <= TestWriter.MAX_CONSTANTS) {
            row.noneOf(probe.slot(), others);
        } else {
            super.write(row);
        }
    }

    /// The constants of which the value must be none; null if it must not be something else.
    private int @Nullable [] others() {
        return predicate() instanceof PresentUnless unless ? unless.constants() : null;
    }

    @Override
    public int mask(Buckets buckets) {
        return switch (predicate()) {
            case StringDiffers differs ->
                    buckets.maskOfStrings() & buckets.maskOfAllBut(differs.constant());
            case NotANumber _ -> buckets.maskOfStrings();
            default -> maskOfOthers(others(), buckets);
        };
    }

    private static int maskOfOthers(int @Nullable [] others, Buckets buckets) {
        int mask = Buckets.PRESENT;
        if (others != null) {
            for (int constant : others) {
                mask &= buckets.maskOfAllBut(constant);
            }
        }
        return mask;
    }

    @Override
    public boolean isToldBy(Buckets buckets) {
        int[] others = others();
        return others != null && Arrays.stream(others).allMatch(buckets::isAlone);
    }

    @Override
    public int effort() {
        return predicate() instanceof StringDiffers ? 5 : 20;
    }

    @Override
    public double cost() {
        return 100;
    }

    /// Half of it is the test, which every message with the slot pays.
    @Override
    public double cost(double hitRate) {
        return 50 + 50 * hitRate;
    }

    @Override
    public KeyKind kind() {
        return KeyKind.SCAN;
    }

    @Override
    void enter() {
        probe.otherTerms().addScanned(this);
    }

    @Override
    void leave() {
        probe.otherTerms().removeScanned(this);
    }
}
