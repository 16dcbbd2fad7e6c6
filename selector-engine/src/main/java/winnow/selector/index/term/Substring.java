package winnow.selector.index.term;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Members;

/// A text that is looked for anywhere in a string, and the terms which need it there. The writer
/// owns it; readers follow the volatile fields.
public final class Substring {

    private final byte[] text;

    /// The automaton that finds it; null as long as it is looked for alone. Writer only.
    private @Nullable LiteralAutomaton automaton;

    /// The term that is true wherever the text occurs.
    private volatile @Nullable SubstringTerm whole;

    /// The terms that ask for more, as content of [Members].
    private volatile @Nullable Object others;

    Substring(byte[] text) {
        this.text = text;
    }

    byte[] text() {
        return text;
    }

    /// For a message whose value has the text. Any thread.
    void hit(TermVisitor matching) {
        SubstringTerm term = whole;
        if (term != null) {
            matching.hit(term);
        }
        test(others, matching);
    }

    /// For a message whose value may have the text. Any thread.
    void probe(TermVisitor matching) {
        test(whole, matching);
        test(others, matching);
    }

    private static void test(@Nullable Object terms, TermVisitor matching) {
        if (terms != null) {
            matching.candidates(terms);
        }
    }

    void add(SubstringTerm term) {
        if (isEmpty() && automaton != null) {
            automaton.changeLive(1);
        }
        if (term.isWhole()) {
            whole = term;
        } else {
            others = Members.with(others, term);
        }
    }

    void remove(SubstringTerm term) {
        if (term.isWhole()) {
            whole = null;
        } else {
            others = Members.without(others, term);
        }
        if (isEmpty() && automaton != null) {
            automaton.changeLive(-1);
        }
    }

    /// Tells which automaton finds it from now on.
    void settle(LiteralAutomaton newAutomaton) {
        automaton = newAutomaton;
    }

    @Nullable LiteralAutomaton automaton() {
        return automaton;
    }

    boolean isEmpty() {
        return whole == null && others == null;
    }

    int terms() {
        return (whole == null ? 0 : 1) + Members.size(others);
    }
}
