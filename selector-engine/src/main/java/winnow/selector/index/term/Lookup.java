package winnow.selector.index.term;

/// Rest of a lookup of a value that takes long. It belongs to one match.
@FunctionalInterface
public interface Lookup {
    /// Looks up more, and leaves the rest ([TermVisitor#leave]) if the match is over.
    void goOn(TermVisitor matching);
}
