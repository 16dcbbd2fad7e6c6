package winnow.selector.explain;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;

/// The names of properties and header fields that a condition looks at.
public final class UsedNames {

    private UsedNames() {}

    /// In the order of the text.
    public static SequencedSet<String> of(Condition condition) {
        SequencedSet<Identifier> identifiers = new LinkedHashSet<>();
        Evaluation.atomsOf(condition).forEach(atom -> Warnings.identifiersOf(atom, identifiers));
        SequencedSet<String> names = new LinkedHashSet<>();
        identifiers.forEach(identifier -> names.add(identifier.name()));
        return names;
    }
}
