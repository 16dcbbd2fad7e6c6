package winnow.selector.engine;

import org.jspecify.annotations.Nullable;
import winnow.selector.compile.Predicate;
import winnow.selector.compile.ShapeClass;
import winnow.selector.compile.ShapeClasses;
import winnow.selector.order.OperandTest;
import winnow.selector.order.Samples;
import winnow.selector.slot.SlotUses;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// A selector bound to the slots of a topic. Any number of threads may call [#matches] at once,
/// each with its own [SlotValues]. An evaluation does not throw, and does not allocate, but for
/// once when the predicate gets a class that is shared by selectors of its shape. The owner of the
/// slots may [#tune] it meanwhile.
public final class Matcher {

    /// Rough duration of the test of an atom that was not timed yet.
    private static final int ATOM_NANOS = 3;

    private static final OperandTest<Predicate, SlotValues> TEST =
            new OperandTest<>() {
                @Override
                public boolean test(Predicate operand, SlotValues values) {
                    return operand.test(values);
                }

                @Override
                public int effort(Predicate operand) {
                    return ATOM_NANOS;
                }
            };

    private final Predicate closures;
    private final ShapeClasses shapeClasses;

    /// The closures or, later, what a class does with the same answers, so a thread may see either.
    private Predicate predicate;

    /// Null when there is no faster one, or it has been found.
    private @Nullable ShapeClass shape;

    /// True if a sampled message was evaluated, and whether that was heeded. The first [#tune]
    /// after it takes over from the readers to find a faster predicate, because a new order of the
    /// closures needs a new one.
    private boolean inUse;

    private boolean tuned;
    private volatile @Nullable Samples<Predicate, SlotValues> samples;

    /// No message is that new after [#release]. Whoever has set values, or looked up strings, by
    /// something that changed after that sees this, and looks at nothing that may be gone. Asked
    /// once, before the evaluation: 160 equalities take 325 ns instead of 230 if it is asked again
    /// after.
    private long requiredVersion;

    private final Slots slots;

    /// Uses of the slots that it looks at: see [SlotUses].
    private final long[] uses;

    Matcher(
            Predicate predicate,
            ShapeClasses shapeClasses,
            long requiredVersion,
            Slots slots,
            long[] uses) {
        this.closures = predicate;
        this.predicate = predicate;
        this.shapeClasses = shapeClasses;
        this.shape = shapeClasses.of(predicate);
        this.requiredVersion = requiredVersion;
        this.slots = slots;
        this.uses = uses;
    }

    /// True if the selector is TRUE for the message. Values that were reset before this matcher was
    /// bound may lack what it looks at, so they do not match: a subscription starts with the first
    /// message that is read after it.
    ///
    /// If another thread may [#release] it meanwhile, the strings have to be looked up before
    /// ([SlotValues#lookUpStrings]): a constant that is found during the evaluation may be a new
    /// one with the number of one that this matcher has given back.
    public boolean matches(SlotValues values) {
        assert values.areFor(slots) : "values of another topic";
        if (values.version() < requiredVersion) {
            return false;
        }
        return values.isSampled() ? sampled(values) : predicate.test(values);
    }

    private boolean sampled(SlotValues values) {
        ShapeClass counted = shape;
        Samples<Predicate, SlotValues> current = samples;
        if (current == null) {
            inUse = true;
            evaluated(counted, values.samplePeriod());
            return predicate.test(values);
        }
        if (counted != null) {
            counted.count(closures, values.samplePeriod());
        }
        return current.test(values);
    }

    private void evaluated(@Nullable ShapeClass counted, int times) {
        Predicate faster = counted == null ? null : counted.evaluated(closures, times);
        if (faster != null) {
            predicate = faster;
            shape = null;
        }
    }

    /// Gives back the names and constants that nothing else uses. From then on no message matches
    /// whose values were set, or strings looked up, by anything that changed later; a thread that
    /// has seen no such change may still match. Only the thread that owns the slots, and only once.
    public void release() {
        requiredVersion = Long.MAX_VALUE;
        new SlotUses(slots).release(uses);
        slots.publish();
    }

    /// Orders AND and OR by what sampled messages showed, so that few operands decide most
    /// messages. To be called now and then, about each second. Only the thread that owns the slots.
    public void tune() {
        Samples<Predicate, SlotValues> current = samples;
        if (current == null) {
            if (inUse && !tuned) {
                tuned = true;
                samples = Samples.of(closures, TEST);
            }
            return;
        }
        if (current.reorder()) {
            shape = shapeClasses.of(closures);
            predicate = closures;
        }
        evaluated(shape, 0);
    }
}
