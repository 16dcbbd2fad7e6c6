package winnow.selector.index.term;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.compile.NumberBounds;
import winnow.selector.compile.NumberInRange;
import winnow.selector.compile.Predicate;
import winnow.selector.compile.SelectorCompiler;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.Not;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.SuffixRange;
import winnow.selector.index.structure.LinkedTable;
import winnow.selector.index.structure.Scale;
import winnow.selector.slot.Numbers;
import winnow.selector.slot.SlotRegistry;
import winnow.selector.slot.SlotUses;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// The terms of an index: turns canonical conditions into formulas, and sees to it that each
/// [SharedTerm] exists once and goes when its last use does. Equal strings are found by their
/// constant, all else by the atom, but for ranges of numbers: each selector has a [RangeTerm] of
/// its own, equal to others over the same name with the same numbers, whether these are written as
/// 5 or as 5.0, and those that are found by the same range share a [NumberTerm]. A condition that
/// cannot be turned into a formula leaves no trace. Writer only.
public final class Terms {

    /// "is present, but not a number that can be compared", per name.
    private record NotANumber(Identifier identifier) {}

    private final Slots slots;
    private final Probes probes;
    private final SlotUses uses;
    private final SelectorCompiler compiler;

    /// By the [KnownTerm#hash] of their identity.
    private final LinkedTable<KnownTerm> byIdentity = new LinkedTable<>();

    private final Numbers numbers = new Numbers();

    /// Number of constants that have a term.
    private int constants;

    /// See [#releaseLater].
    private final ArrayDeque<Iterator<SharedTerm>> unreleased = new ArrayDeque<>();

    /// The terms held so far by the term that is being made.
    private final List<Term> held = new ArrayList<>();

    public Terms(Slots slots, Probes probes) {
        this(slots, probes, slots);
    }

    /// @param registry what gives the slots out
    Terms(Slots slots, Probes probes, SlotRegistry registry) {
        this.slots = slots;
        this.probes = probes;
        this.uses = new SlotUses(slots, registry);
        this.compiler = new SelectorCompiler(uses);
    }

    /// The formula that is true exactly if the canonical condition is TRUE. It holds one use of
    /// each of its terms. If it cannot be made, everything is as before.
    public Formula formula(Condition canonical) {
        FormulaBuilder builder = new FormulaBuilder(this, canonical);
        try {
            return builder.formula();
        } catch (RuntimeException | Error e) {
            builder.abandon();
            throw e;
        }
    }

    /// The term of a leaf, with one use more. If it cannot be made, everything is as before.
    ///
    /// @param leaf an atom or its negation, or several of them that bound one name: see
    ///   [NumberBounds#joined]
    Term acquire(Condition leaf) {
        try {
            return held(term(leaf));
        } catch (RuntimeException | Error e) {
            undo();
            throw e;
        } finally {
            held.clear();
        }
    }

    private Term term(Condition leaf) {
        return switch (leaf) {
            case Atom atom -> whenTrue(atom);
            case Not(Atom atom) -> whenFalse(leaf, atom);
            case And bounds -> interval(bounds);
            default -> throw new IllegalArgumentException("not in canonical form");
        };
    }

    private @Nullable KnownTerm find(Object identity) {
        KnownTerm term = byIdentity.chain(KnownTerm.hash(identity, probes.hashSeed()));
        while (term != null && !term.isKnownBy(identity)) {
            term = term.next();
        }
        return term;
    }

    /// True if there is a term for it already.
    boolean knows(In in) {
        return find(in) != null;
    }

    /// The term of an IN, with one use more. If it cannot be made, everything is as before.
    ///
    /// @param alternatives the terms of its values, of which one use each is taken over
    Term acquireUnion(In in, List<SharedTerm> alternatives) {
        KnownTerm known = find(in);
        if (known != null) {
            known.acquire();
            releaseLater(alternatives);
            return known;
        }
        try {
            return held(union(in, alternatives));
        } catch (RuntimeException | Error e) {
            undo();
            throw e;
        } finally {
            held.clear();
        }
    }

    private void undo() {
        uses.undo();
        held.forEach(this::release);
    }

    private <T extends Term> T held(T term) {
        held.add(term);
        term.acquire();
        return term;
    }

    /// Gives one use back.
    public void release(Term term) {
        if (term.release()) {
            term.dispose(this);
        }
    }

    /// Gives one use of each back, one after the other in [#releaseOne].
    void releaseLater(List<SharedTerm> terms) {
        unreleased.add(terms.iterator());
    }

    /// Gives one of these uses back; false if there is none.
    public boolean releaseOne() {
        Iterator<SharedTerm> first = unreleased.peek();
        while (first != null && !first.hasNext()) {
            unreleased.remove();
            first = unreleased.peek();
        }
        if (first == null) {
            return false;
        }
        release(first.next());
        return true;
    }

    /// The name that a term asks for first.
    public String nameOf(Term term) {
        return slots.nameOf(term.probe.slot());
    }

    /// The numbers of all terms but those of constants.
    public Numbers numbers() {
        return numbers;
    }

    /// Number of [SharedTerm]s.
    public int size() {
        return numbers.size() + constants;
    }

    private Term whenTrue(Atom atom) {
        // Most are equalities. Patterns with parts take longer.
        if (atom instanceof Comparison comparison
                && comparison.operator() == ComparisonOperator.EQUAL
                && comparison.left() instanceof Identifier identifier
                && comparison.right() instanceof StringLiteral literal) {
            return constant(identifier, literal.value());
        }
        return switch (atom) {
            case In in -> union(in, in.identifier());
            case Comparison(Identifier _, ComparisonOperator operator, NumberLiteral _)
                    when operator != ComparisonOperator.NOT_EQUAL ->
                    compiled(atom, atom);
            case Between _ -> compiled(atom, atom);
            default -> known(atom, atom);
        };
    }

    private Term whenFalse(Condition negation, Atom atom) {
        return switch (atom) {
            case Comparison(Identifier identifier, ComparisonOperator operator, NumberLiteral _)
                    when operator.isOrdering() ->
                    union(negation, identifier);
            case Between(Identifier identifier, var _, var _, var _) -> union(negation, identifier);
            default -> known(negation, atom);
        };
    }

    private Term interval(And bounds) {
        Condition first = bounds.operands().getFirst();
        Comparison refuted = NumberBounds.refuted(first);
        if (refuted != null && refuted.left() instanceof Identifier identifier) {
            return union(bounds, identifier);
        }
        return compiled(bounds, (Atom) first);
    }

    private ConstantTerm constant(Identifier identifier, String value) {
        byte[] utf8 = value.getBytes(UTF_8);
        ConstantTerm known = knownConstant(slots.find(identifier.name()), utf8);
        if (known != null) {
            return known;
        }
        int slot = uses.require(identifier.name());
        int constant = uses.requireConstant(slot, utf8);
        SlotProbe probe = probes.require(slot);
        ConstantTerm term = new ConstantTerm(probe, constant);
        probe.acquire();
        probe.addConstant(term);
        constants++;
        uses.forget();
        return term;
    }

    /// Counts no uses to find it: where there are few constants, their counts are on the same cache
    /// lines as what they say, which other threads read all the time.
    ///
    /// @param slot -1 if no selector uses the name
    private @Nullable ConstantTerm knownConstant(int slot, byte[] utf8) {
        int constant = slot < 0 ? SlotValues.NO_CONSTANT : slots.findConstant(slot, utf8);
        SlotProbe probe = constant == SlotValues.NO_CONSTANT ? null : probes.find(slot);
        return probe == null ? null : probe.constant(constant);
    }

    void dispose(ConstantTerm term) {
        int slot = term.probe.slot();
        term.probe.removeConstant(term);
        term.probe.release();
        constants--;
        slots.releaseConstant(slot, term.constant());
        slots.release(slot);
    }

    private Term known(Condition leaf, Atom atom) {
        KnownTerm known = find(leaf);
        return known == null ? compiled(leaf, atom) : known;
    }

    private Term compiled(Condition leaf, Atom atom) {
        Predicate predicate = compiler.whenTrue(leaf);
        long[] used = uses.take();
        SlotProbe probe = probes.require(SlotUses.slot(used[0]));
        if (predicate instanceof NumberInRange range) {
            return new RangeTerm(probe, range.low(), range.high(), range.differing());
        }
        return added(
                switch (leaf) {
                    case Like like -> like(probe, predicate, like, used);
                    case SuffixRange range when !endsWithDigit(range.prefix()) ->
                            new SuffixTerm(probe, numbers.take(), predicate, range, used);
                    case IsNull _ -> new MissingTerm(probe, numbers.take(), predicate, atom, used);
                    default -> new ScannedTerm(probe, numbers.take(), predicate, leaf, used);
                });
    }

    private PredicateTerm like(SlotProbe probe, Predicate predicate, Like like, long[] used) {
        PatternText text = PatternText.rarest(like.pattern(), probe);
        int number = numbers.take();
        if (text == null) {
            return new ScannedTerm(probe, number, predicate, like, used);
        }
        return text.isPrefix()
                ? new PrefixTerm(probe, number, predicate, like, text, used)
                : new SubstringTerm(probe, number, predicate, like, text, used);
    }

    private static boolean endsWithDigit(String prefix) {
        return !prefix.isEmpty() && Character.digit(prefix.charAt(prefix.length() - 1), 10) >= 0;
    }

    /// Term to hang a node on so that it is found by a key: a group of cells for a wide range of
    /// numbers, so that many nodes share it, and else the key itself.
    ///
    /// @param exact whether the key has to tell exactly
    public SharedTerm shared(Term key, boolean exact) {
        return !exact && key.observed() instanceof RangeTerm range && range.isWide()
                ? group(range)
                : itself(key);
    }

    /// Term that is true exactly if a key is, to hang a node on.
    public SharedTerm itself(Term key) {
        return switch (key) {
            case SharedTerm shared -> shared;
            case RangeTerm range -> {
                KnownTerm known = find(range);
                if (known == null) {
                    slots.use(range.probe.slot());
                    known = number(range);
                }
                yield known;
            }
            default -> throw new IllegalArgumentException("nothing finds " + key.getClass());
        };
    }

    /// A term that takes over one use of the slot.
    private KnownTerm number(RangeTerm range) {
        range.probe.ends().note(range.lowest(), range.highest());
        return added(new NumberTerm(range.probe, numbers.take(), range));
    }

    private CellTerm group(RangeTerm range) {
        SlotProbe probe = range.probe;
        Scale scale = probe.ends().scale();
        int place = range.group(scale, probe.ends().groups());
        // All cells are the same numbers on any scale, and many selectors are faster to look at
        // than the same ones in several clusters.
        Cells cells = probe.cells(place == Cells.ALL ? Scale.ONE_CELL : scale);
        CellTerm known = cells.term(place);
        if (known != null) {
            return known;
        }
        CellTerm term = new CellTerm(probe, numbers.take(), cells, place);
        probe.acquire();
        cells.add(term);
        return term;
    }

    private Term union(Condition leaf, Identifier identifier) {
        KnownTerm known = find(leaf);
        if (known != null) {
            return known;
        }
        int heldBefore = held.size();
        Term union = union(leaf, alternatives(leaf, identifier));
        // The union holds them from now on.
        held.subList(heldBefore, held.size()).clear();
        return union;
    }

    /// @param alternatives with a use each, which the union takes over
    private Term union(Condition leaf, List<SharedTerm> alternatives) {
        Predicate predicate = compiler.whenTrue(leaf);
        long[] used = uses.take();
        SlotProbe probe = probes.require(SlotUses.slot(used[0]));
        int number = numbers.take();
        return added(new UnionTerm(probe, number, predicate, leaf, used, alternatives));
    }

    /// Terms of which one is true exactly if the leaf is; they are held.
    private List<SharedTerm> alternatives(Condition leaf, Identifier identifier) {
        List<SharedTerm> terms = new ArrayList<>();
        for (Condition alternative : alternatives(leaf)) {
            terms.add(held(alternative(alternative)));
        }
        if (!(leaf instanceof In)) {
            terms.add(held(notANumber(identifier)));
        }
        return terms;
    }

    /// The term of a condition that several terms may have among their alternatives.
    private SharedTerm alternative(Condition condition) {
        Term term = condition instanceof And bounds ? interval(bounds) : whenTrue((Atom) condition);
        if (!(term instanceof RangeTerm range)) {
            return (SharedTerm) term;
        }
        KnownTerm known = find(range);
        if (known == null) {
            return number(range);
        }
        slots.release(range.probe.slot());
        return known;
    }

    /// The conditions of which one is TRUE if an IN is, or if the negation of comparisons or of a
    /// BETWEEN is TRUE for a number.
    public static List<Condition> alternatives(Condition leaf) {
        return switch (leaf) {
            case In(Identifier identifier, List<String> values) ->
                    values.stream()
                            .<Condition>map(value ->
                                    new Comparison(
                                            identifier,
                                            ComparisonOperator.EQUAL,
                                            new StringLiteral(value)))
                            .toList();
            case Not(Comparison(var left, var operator, var right)) ->
                    List.of(new Comparison(left, operator.negated(), right));
            case Not(Between(var value, var low, var high, var _)) ->
                    List.of(
                            new Comparison(value, ComparisonOperator.LESS, low),
                            new Comparison(value, ComparisonOperator.GREATER, high));
            case And(List<Condition> refuted) -> alternatives(refuted);
            default -> throw new IllegalArgumentException("no alternatives");
        };
    }

    private static List<Condition> alternatives(List<Condition> refuted) {
        List<Condition> bounds = new ArrayList<>(refuted.size());
        for (Condition each : refuted) {
            Comparison bound = NumberBounds.refuted(each);
            if (bound != null) {
                bounds.add(bound);
            }
        }
        return NumberBounds.range(bounds).isEmpty() ? List.of() : List.of(new And(bounds));
    }

    private SharedTerm notANumber(Identifier identifier) {
        NotANumber identity = new NotANumber(identifier);
        KnownTerm known = find(identity);
        if (known != null) {
            return known;
        }
        Predicate predicate = compiler.notANumber(identifier);
        long[] used = uses.take();
        SlotProbe probe = probes.require(SlotUses.slot(used[0]));
        return added(new ScannedTerm(probe, numbers.take(), predicate, identity, used));
    }

    private KnownTerm added(KnownTerm term) {
        byIdentity.add(term);
        term.probe.acquire();
        return term;
    }

    void dispose(RangeTerm term) {
        term.probe.ends().leave();
        term.probe.release();
        slots.release(term.probe.slot());
    }

    void dispose(NumberTerm term) {
        int slot = term.probe.slot();
        term.probe.ends().leave();
        byIdentity.remove(term);
        forget(term);
        slots.release(slot);
    }

    void dispose(PredicateTerm term) {
        byIdentity.remove(term);
        forget(term);
        uses.release(term.uses());
    }

    void forget(SharedTerm term) {
        term.probe.release();
        numbers.giveBack(term.number());
    }
}
