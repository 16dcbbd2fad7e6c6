package winnow.selector.index.term;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.structure.HashChains;
import winnow.selector.index.structure.Member;
import winnow.selector.index.structure.RangeEnds;
import winnow.selector.index.structure.Scale;
import winnow.selector.index.structure.SparseInts;
import winnow.selector.slot.KeyedHash;
import winnow.selector.slot.SlotValues;

/// The terms of one slot, by what makes them true. Each part exists once it is needed. One writer,
/// many readers: every part is behind a volatile field and looks after itself.
public final class SlotProbe {

    private final Probes probes;
    private final int slot;

    /// Depends on the slot.
    private final long hashSeed;

    private int terms;

    /// Number of terms that lead to nodes. Writer only.
    private int linked;

    private final SlotTally tally = new SlotTally();
    private final RangeEnds ends = new RangeEnds();
    private @Nullable Buckets buckets;
    private @Nullable Scale scaleOfBuckets;
    private boolean bucketsOfNumbers;
    private boolean bucketsOfStrings;
    private volatile Cells[] cells = {};

    private final TermsByConstant constants = new TermsByConstant();
    private volatile @Nullable HashChains<NumberTerm> points;
    private volatile @Nullable FloatPoints floatPoints;
    private volatile @Nullable Intervals intervals;
    private volatile @Nullable OtherTerms otherTerms;

    SlotProbe(Probes probes, int slot) {
        this.probes = probes;
        this.slot = slot;
        this.hashSeed = KeyedHash.mixed(probes.hashSeed() + slot);
    }

    public int slot() {
        return slot;
    }

    /// The probe of another slot that is in use. Writer only.
    public SlotProbe of(int otherSlot) {
        return otherSlot == slot ? this : probes.probe(otherSlot);
    }

    /// The hash of numbers that belong to the slot, which those who choose them cannot foresee.
    public int hash(long... numbers) {
        long hash = hashSeed;
        for (long number : numbers) {
            hash = KeyedHash.mixed(hash ^ number);
        }
        return (int) hash;
    }

    /// The same for all slots of the index; to be kept secret.
    public long seedOfIndex() {
        return probes.hashSeed();
    }

    public AskedTerms asked() {
        return probes.asked();
    }

    /// See [Probes#placesOfNodes].
    public SparseInts placesOfNodes() {
        return probes.placesOfNodes();
    }

    public RangeEnds ends() {
        return ends;
    }

    /// The classes of its values: the same object until other classes tell more. Writer only.
    public Buckets buckets() {
        Buckets fitting = buckets;
        Scale scale = ends.scale();
        boolean numbers = !ends.isEmpty();
        boolean strings = constants.count() > 0;
        if (fitting == null
                || fitting.areTooFewFor(constants.count())
                || scaleOfBuckets != scale
                || bucketsOfNumbers != numbers
                || bucketsOfStrings != strings) {
            fitting =
                    !numbers
                            ? Buckets.ofStrings(constants.count())
                            : strings ? Buckets.ofBoth(scale) : Buckets.ofNumbers(scale);
            scaleOfBuckets = scale;
            bucketsOfNumbers = numbers;
            bucketsOfStrings = strings;
            buckets = fitting;
        }
        return fitting;
    }

    /// The cells of a scale, which a message is looked up in from now on.
    public Cells cells(Scale of) {
        for (Cells known : cells) {
            if (known.scale() == of) {
                return known;
            }
        }
        Cells made = new Cells(of);
        Cells[] more = Arrays.copyOf(cells, cells.length + 1);
        more[cells.length] = made;
        cells = more;
        return made;
    }

    public void forget(Cells empty) {
        cells = Arrays.stream(cells).filter(each -> each != empty).toArray(Cells[]::new);
    }

    public SlotTally tally() {
        return tally;
    }

    /// Finds the terms that the value of the slot, which is present, makes true. Any thread.
    ///
    /// @return whether that may have taken long
    boolean probe(SlotValues values, TermVisitor matching) {
        boolean slow = false;
        switch (values.kind(slot)) {
            case SlotValues.STRING -> {
                Object nodes = constants.cluster(values.constant(slot));
                if (nodes != null) {
                    matching.hitNodes(nodes);
                }
            }
            case SlotValues.EXACT -> probeNumber((double) values.exact(slot), matching);
            case SlotValues.FLOAT -> {
                double number = values.approximate(slot);
                FloatPoints floats = floatPoints;
                if (floats != null) {
                    floats.probe(key(number), matching);
                    slow = true;
                }
                probeNumber(number, matching);
            }
            case SlotValues.DOUBLE -> probeNumber(values.approximate(slot), matching);
            default -> {}
        }
        OtherTerms current = otherTerms;
        if (current != null) {
            current.probe(values, slot, matching);
            return true;
        }
        return slow;
    }

    /// Reads what [#probe] begins with and returns something that depends on it. The message need
    /// not have a value for the slot. Any thread.
    int readAhead(SlotValues values) {
        if (!values.holds(slot) || values.kind(slot) != SlotValues.STRING) {
            return 0;
        }
        // To see what hangs there, it is read.
        return constants.cluster(values.constant(slot)) instanceof Member ? 1 : 0;
    }

    private void probeNumber(double number, TermVisitor matching) {
        HashChains<NumberTerm> currentPoints = points;
        if (currentPoints != null) {
            long key = key(number);
            for (var link = currentPoints.bucket(key); link != null; link = link.next) {
                if (link.key == key) {
                    matching.candidate(link.value);
                }
            }
        }
        if (Double.isNaN(number)) {
            return;
        }
        Intervals currentIntervals = intervals;
        if (currentIntervals != null) {
            currentIntervals.probe(number, matching);
        }
        for (Cells current : cells) {
            current.probe(number, matching);
        }
    }

    /// The key of a number among points; -0.0 is 0.0. Those who choose the number cannot foresee
    /// it. Other numbers hardly ever have the same.
    private long key(double number) {
        return KeyedHash.mixed(hashSeed ^ Double.doubleToRawLongBits(number + 0.0));
    }

    public @Nullable ConstantTerm constant(int constant) {
        return constants.term(constant);
    }

    /// The term of a constant that is in use. Writer only.
    public ConstantTerm requireConstant(int constant) {
        ConstantTerm term = constants.term(constant);
        if (term == null) {
            throw new IllegalStateException("no term has the constant " + constant);
        }
        return term;
    }

    /// Shows messages what hangs on the term of a constant. Writer only.
    public void cluster(int constant, @Nullable Object content) {
        constants.cluster(constant, content);
    }

    public void addConstant(ConstantTerm term) {
        constants.add(term);
        if (constants.count() == 2) {
            probes.updateVaried(this);
        }
    }

    public void removeConstant(ConstantTerm term) {
        constants.remove(term);
        if (constants.count() == 1) {
            probes.updateVaried(this);
        }
    }

    public int constantCount() {
        return constants.count();
    }

    /// Lets messages with a number find a term.
    ///
    /// @param floatsOnly see [FloatPoints]
    public void addPoint(double point, boolean floatsOnly, NumberTerm term) {
        if (floatsOnly) {
            FloatPoints current = floatPoints;
            if (current == null) {
                current = new FloatPoints();
                floatPoints = current;
            }
            current.add(key(point), term);
            return;
        }
        HashChains<NumberTerm> current = points;
        if (current == null) {
            current = new HashChains<>();
            points = current;
        }
        current.add(key(point), term);
    }

    /// @param term that was added in the same way
    public void removePoint(double point, boolean floatsOnly, NumberTerm term) {
        if (floatsOnly) {
            Objects.requireNonNull(floatPoints).remove(key(point), term);
        } else {
            Objects.requireNonNull(points).remove(key(point), term);
        }
    }

    public Intervals intervals() {
        Intervals current = intervals;
        if (current == null) {
            current = new Intervals();
            intervals = current;
        }
        return current;
    }

    /// Made when it is first asked for. Writer only.
    public OtherTerms otherTerms() {
        OtherTerms current = otherTerms;
        if (current == null) {
            current = new OtherTerms(hashSeed);
            otherTerms = current;
        }
        return current;
    }

    /// See [OtherTerms#foundBy]. Writer only.
    public int patternsFoundBy(PatternText text) {
        OtherTerms current = otherTerms;
        return current == null ? 0 : current.foundBy(text);
    }

    public void addMissing(MissingTerm term) {
        probes.addMissing(term);
    }

    public void removeMissing(MissingTerm term) {
        probes.removeMissing(term);
    }

    /// One term more leads from values to nodes. After the first, messages are looked up here.
    public void link() {
        linked++;
        if (linked == 1) {
            probes.link(this);
        }
    }

    /// One term less.
    public void unlink() {
        linked--;
        if (linked == 0) {
            probes.unlink(this);
        }
    }

    boolean isLinked() {
        return linked > 0;
    }

    public void acquire() {
        terms++;
    }

    public boolean isUsed() {
        return terms > 0;
    }

    /// One term less; after the last the slot has nothing to probe.
    public void release() {
        terms--;
        if (terms == 0) {
            probes.drop(slot);
        }
    }
}
