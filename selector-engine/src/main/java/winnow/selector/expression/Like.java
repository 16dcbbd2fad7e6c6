package winnow.selector.expression;

/// `identifier LIKE pattern`: UNKNOWN for NULL, FALSE for anything that is not a string.
public record Like(Identifier identifier, LikePattern pattern) implements Atom {}
