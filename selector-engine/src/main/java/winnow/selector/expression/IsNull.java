package winnow.selector.expression;

/// `identifier IS NULL`; the only atom over an identifier that is never UNKNOWN.
public record IsNull(Identifier identifier) implements Atom {}
