package winnow.selector.index.term;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Stamps;

/// Finds all of many texts in a string in one pass (Aho and Corasick 1975). A state is a beginning
/// of some texts, and the state after a byte is the longest that the bytes so far end with. Per
/// byte about two steps, whatever the number of texts; a text that occurs is reported once.
///
/// States are numbered in breadth-first order, so that the children of a state are neighbours,
/// sorted by the byte that leads to them. The texts are fixed, the terms they lead to are not. The
/// arrays are immutable, what is counted belongs to the writer.
public final class LiteralAutomaton {

    static final int ROOT = 0;
    private static final int NONE = -1;

    private final Substring[] literals;

    /// By state: the byte that leads to it.
    private final byte[] label;

    /// By state: its first child. Its children end where those of the next state begin.
    private final int[] firstChild;

    /// By state: where to go on if no child fits, which is the longest other state that the text of
    /// this one ends with.
    private final int[] fallback;

    /// By state: the longest whole text that its text ends with, as a state; [#ROOT] if there is
    /// none.
    private final int[] report;

    /// By state: the index of its text, if it is a whole one.
    private final int[] literalAt;

    /// The children of the root by byte: most bytes are looked up here.
    private final int[] first = new int[1 << Byte.SIZE];

    private final Beginnings beginnings;
    private int live;

    LiteralAutomaton(List<Substring> texts) {
        this.literals = texts.toArray(Substring[]::new);
        this.live = literals.length;
        Arrays.sort(literals, (a, b) -> Arrays.compareUnsigned(a.text(), b.text()));
        int limit = 1;
        for (Substring literal : literals) {
            limit += literal.text().length;
        }
        int[] parent = new int[limit];
        byte[] labels = new byte[limit];
        int[] children = new int[limit + 1];
        int[] whole = new int[limit];
        int states = grow(parent, labels, children, whole);
        this.label = Arrays.copyOf(labels, states);
        this.firstChild = Arrays.copyOf(children, states + 1);
        this.literalAt = Arrays.copyOf(whole, states);
        this.fallback = new int[states];
        this.report = new int[states];
        for (int child = firstChild[ROOT]; child < firstChild[ROOT + 1]; child++) {
            first[label[child] & 0xFF] = child;
        }
        for (int state = 1; state < states; state++) {
            int above = parent[state];
            fallback[state] = above == ROOT ? ROOT : next(fallback[above], label[state]);
            report[state] = literalAt[state] == NONE ? report[fallback[state]] : state;
        }
        this.beginnings = new Beginnings(literals);
        for (Substring literal : literals) {
            literal.settle(this);
        }
    }

    /// Makes the states level by level: each stands for a range of the sorted texts.
    private int grow(int[] parent, byte[] labels, int[] children, int[] whole) {
        int[] from = new int[labels.length];
        int[] to = new int[labels.length];
        to[ROOT] = literals.length;
        int states = 1;
        int levelEnd = 1;
        int depth = 0;
        for (int state = 0; state < states; state++) {
            if (state == levelEnd) {
                levelEnd = states;
                depth++;
            }
            int text = from[state];
            boolean ends = text < to[state] && literals[text].text().length == depth;
            whole[state] = ends ? text++ : NONE;
            children[state] = states;
            while (text < to[state]) {
                byte next = literals[text].text()[depth];
                parent[states] = state;
                labels[states] = next;
                from[states] = text;
                while (text < to[state] && literals[text].text()[depth] == next) {
                    text++;
                }
                to[states] = text;
                states++;
            }
        }
        children[states] = states;
        return states;
    }

    /// A string is looked up from its beginning.
    ///
    /// @param reported forgets what was reported of another one
    void begin(Stamps reported) {
        reported.begin(literals.length);
    }

    /// Hits what the texts that occur in a string lead to, if they end before `until` or a little
    /// later, and were not reported before. Any thread.
    ///
    /// @param from where to begin, or to go on
    /// @param begun the state there, [#ROOT] at the beginning of the string
    /// @param to where the string ends
    /// @return where to go on, `until` or later, and in the upper 32 bits the state there
    long probe(
            byte[] text,
            int from,
            int begun,
            int until,
            int to,
            Stamps reported,
            TermVisitor matching) {
        int state = begun;
        int i = state == ROOT ? beginnings.next(text, from, to) : from;
        for (; i < until; i++) {
            state = next(state, text[i]);
            // Whatever is shorter than one that was reported was reported with it.
            for (int found = report[state];
                    found != ROOT && reported.mark(literalAt[found]);
                    found = report[fallback[found]]) {
                literals[literalAt[found]].hit(matching);
            }
            if (state == ROOT) {
                i = beginnings.next(text, i + 1, to) - 1;
            }
        }
        return (long) state << Integer.SIZE | i;
    }

    private int next(int state, byte value) {
        int at = state;
        while (at != ROOT) {
            int child = child(at, value);
            if (child != NONE) {
                return child;
            }
            at = fallback[at];
        }
        return first[value & 0xFF];
    }

    private int child(int state, byte value) {
        int low = firstChild[state];
        int high = firstChild[state + 1] - 1;
        int wanted = value & 0xFF;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int found = label[middle] & 0xFF;
            if (found == wanted) {
                return middle;
            }
            if (found < wanted) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return NONE;
    }

    /// The literal of a text, also one that leads nowhere any more. Writer only.
    @Nullable Substring find(byte[] text) {
        int state = first[text[0] & 0xFF];
        if (state == ROOT) {
            return null;
        }
        for (int i = 1; i < text.length; i++) {
            state = child(state, text[i]);
            if (state == NONE) {
                return null;
            }
        }
        return literalAt[state] == NONE ? null : literals[literalAt[state]];
    }

    int states() {
        return label.length;
    }

    /// Texts that lead to a term. Writer only.
    int live() {
        return live;
    }

    void changeLive(int change) {
        live += change;
    }

    boolean isMostlyDead() {
        return 2 * live < literals.length;
    }

    List<Substring> liveLiterals() {
        List<Substring> alive = new ArrayList<>(live);
        for (Substring literal : literals) {
            if (!literal.isEmpty()) {
                alive.add(literal);
            }
        }
        return alive;
    }
}
