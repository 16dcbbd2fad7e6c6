package winnow.selector.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;
import winnow.selector.compile.Predicate;
import winnow.selector.compile.SelectorCompiler;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;
import winnow.selector.expression.Truth;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// The value of a selector and of each of its atoms for one message, found with the same compiled
/// predicates that the broker runs: `e` is TRUE if T(e), FALSE if F(e), else UNKNOWN.
///
/// @param atoms the distinct atoms in the order of the text
/// @param values what the message has for the names of the selector
/// @param warnings about values that the selector was surely not meant for
public record Evaluation(
        Truth truth, List<AtomTruth> atoms, List<Value> values, List<Warning> warnings) {

    /// @param text the atom in canonical form
    /// @param decides whether the value of the whole follows from this atom and the others that
    ///   decide
    public record AtomTruth(String text, Truth truth, boolean decides) {}

    /// Value that a message has for a name.
    ///
    /// @param value null if it is missing
    public record Value(String name, @Nullable Object value) {}

    public Evaluation {
        atoms = List.copyOf(atoms);
        values = List.copyOf(values);
        warnings = List.copyOf(warnings);
    }

    /// @param message values by name; see [MessageValues]
    public static Evaluation of(
            Condition condition, Map<String, ? extends @Nullable Object> message) {
        Slots slots = new Slots();
        SelectorCompiler compiler = new SelectorCompiler(slots);
        SequencedSet<Atom> atoms = atomsOf(condition);
        List<Question> questions = new ArrayList<>();
        questions.add(new Question(compiler, condition));
        atoms.forEach(atom -> questions.add(new Question(compiler, atom)));
        slots.publish();
        SlotValues values = new SlotValues();
        MessageValues.set(values, slots, message);
        SequencedMap<Atom, Truth> truths = new LinkedHashMap<>();
        int i = 1;
        for (Atom atom : atoms) {
            truths.put(atom, questions.get(i++).ask(values));
        }
        SequencedSet<Atom> deciding = Decision.of(condition, truths);
        List<AtomTruth> answers = new ArrayList<>();
        truths.forEach((atom, truth) ->
                answers.add(
                        new AtomTruth(
                                ExpressionPrinter.print(atom), truth, deciding.contains(atom))));
        return new Evaluation(
                questions.getFirst().ask(values),
                answers,
                valuesOf(atoms, message),
                Mismatches.of(atoms, message));
    }

    private static List<Value> valuesOf(
            SequencedSet<Atom> atoms, Map<String, ? extends @Nullable Object> message) {
        SequencedSet<Identifier> names = new LinkedHashSet<>();
        atoms.forEach(atom -> Warnings.identifiersOf(atom, names));
        return names.stream()
                .map(name -> new Value(name.name(), message.get(name.name())))
                .toList();
    }

    /// The distinct atoms of a condition, in the order of its text.
    static SequencedSet<Atom> atomsOf(Condition condition) {
        SequencedSet<Atom> atoms = new LinkedHashSet<>();
        collect(condition, atoms);
        return atoms;
    }

    private static void collect(Condition condition, SequencedSet<Atom> atoms) {
        switch (condition) {
            case And(List<Condition> operands) -> operands.forEach(o -> collect(o, atoms));
            case Or(List<Condition> operands) -> operands.forEach(o -> collect(o, atoms));
            case Not(Condition operand) -> collect(operand, atoms);
            case Atom atom -> atoms.add(atom);
        }
    }

    /// A condition compiled both ways.
    private static final class Question {

        private final Predicate whenTrue;
        private final Predicate whenFalse;

        Question(SelectorCompiler compiler, Condition condition) {
            this.whenTrue = compiler.whenTrue(condition);
            this.whenFalse = compiler.whenFalse(condition);
        }

        Truth ask(SlotValues values) {
            if (whenTrue.test(values)) {
                return Truth.TRUE;
            }
            return whenFalse.test(values) ? Truth.FALSE : Truth.UNKNOWN;
        }
    }
}
