package winnow.selector.expression;

/// The name of a property or of a header field; case-sensitive. As a condition it is TRUE for the
/// boolean true, UNKNOWN if the message lacks it, and FALSE for every other value.
///
/// Ordered by name, so that a hash map of identifiers is fast even if all have one hash.
public record Identifier(String name) implements Atom, Operand, Comparable<Identifier> {

    public Identifier {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an identifier has at least one character");
        }
    }

    @Override
    public int compareTo(Identifier other) {
        return name.compareTo(other.name);
    }
}
