package winnow.selector.index.term;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Stamps;
import winnow.selector.slot.SlotValues;

/// Terms by a text that their strings hold somewhere: a few that are tested one by one, and
/// automata which find all of theirs in one pass.
///
/// An automaton cannot grow. So texts that are new are collected, and when there are too many they
/// become an automaton, together with all that are not much larger: there are few automata, each
/// several times as large as the next, and a text is built into about a dozen over its life. A text
/// that no term needs any more stays until half of its automaton is such texts. One writer, many
/// readers, who see all of a change at once.
public final class Substrings {

    /// Tests of single terms take about 25 ns each, an automaton about 2 ns per byte.
    private static final int MAX_SINGLE = 16;

    /// Automata that are up to so many times larger than what is new are built again with it.
    private static final int GROWTH = 4;

    /// An automaton with so many states is built in about 5 ms, and grows no more.
    private static final int MAX_STATES = 1 << 16;

    /// Bytes of a string that are looked up in an automaton before the match may stop: 10 to 30 µs.
    private static final int BYTES_TOGETHER = 1024;

    private static final Current NOTHING = new Current(List.of(), List.of());

    /// State that readers see, never changed.
    private static final class Current {

        final Substring[] singles;

        /// The largest first.
        final LiteralAutomaton[] automata;

        Current(List<Substring> singles, List<LiteralAutomaton> automata) {
            this.singles = singles.toArray(Substring[]::new);
            this.automata = automata.toArray(LiteralAutomaton[]::new);
        }

        List<Substring> copyOfSingles() {
            return new ArrayList<>(Arrays.asList(singles));
        }

        List<LiteralAutomaton> copyOfAutomata() {
            return new ArrayList<>(Arrays.asList(automata));
        }
    }

    private volatile Current current = NOTHING;

    /// Looks up the string of a slot. What takes long may be left for later. Any thread.
    void probe(SlotValues values, int slot, TermVisitor matching) {
        Current now = current;
        for (Substring single : now.singles) {
            single.probe(matching);
        }
        if (now.automata.length > 0) {
            lookUp(now.automata, values, slot, matching);
        }
    }

    private static void lookUp(
            LiteralAutomaton[] automata, SlotValues values, int slot, TermVisitor matching) {
        int next = 0;
        int length = values.textLength(slot);
        if (length <= BYTES_TOGETHER) {
            byte[] text = values.text(slot);
            int from = values.textOffset(slot);
            int to = from + length;
            Stamps reported = matching.reportedLiterals();
            do {
                LiteralAutomaton automaton = automata[next++];
                automaton.begin(reported);
                automaton.probe(text, from, LiteralAutomaton.ROOT, to, to, reported, matching);
                values.scratch().scannedBytes += length;
                if (next == automata.length) {
                    return;
                }
            } while (!matching.isOver());
        }
        new Search(automata, next, values, slot, matching.reportedLiterals()).goOn(matching);
    }

    /// The lookup of a string in automata, one after the other, each of which goes through the
    /// string piece by piece. Owned by one match.
    private static final class Search implements Lookup {
        private final LiteralAutomaton[] automata;
        private final SlotValues values;
        private final int slot;
        private final Stamps reported;
        private int next;

        /// Bytes of the string that were looked up in the next automaton, and its state there.
        private int done;

        private int state;

        Search(
                LiteralAutomaton[] automata,
                int next,
                SlotValues values,
                int slot,
                Stamps reported) {
            this.automata = automata;
            this.next = next;
            this.values = values;
            this.slot = slot;
            this.reported = reported;
        }

        @Override
        public void goOn(TermVisitor matching) {
            int length = values.textLength(slot);
            do {
                LiteralAutomaton automaton = automata[next];
                if (done == 0) {
                    automaton.begin(reported);
                    state = LiteralAutomaton.ROOT;
                }
                int before = done;
                lookUpPiece(automaton, matching);
                values.scratch().scannedBytes += done - before;
                if (done == length) {
                    done = 0;
                    next++;
                }
                if (next == automata.length) {
                    return;
                }
            } while (!matching.isOver());
            matching.leave(this, reported);
        }

        private void lookUpPiece(LiteralAutomaton automaton, TermVisitor matching) {
            int from = values.textOffset(slot);
            int to = from + values.textLength(slot);
            int at = from + done;
            int until = Math.min(at + BYTES_TOGETHER, to);
            long reached =
                    automaton.probe(values.text(slot), at, state, until, to, reported, matching);
            done = Math.min((int) reached, to) - from;
            state = (int) (reached >>> Integer.SIZE);
        }
    }

    public void add(SubstringTerm term) {
        Substring known = find(term.literal());
        if (known != null) {
            known.add(term);
            if (known.automaton() == null) {
                foldIfMany();
            }
            return;
        }
        Substring literal = new Substring(term.literal());
        literal.add(term);
        List<Substring> singles = current.copyOfSingles();
        singles.add(literal);
        current = new Current(singles, current.copyOfAutomata());
        foldIfMany();
    }

    public void remove(SubstringTerm term) {
        Substring literal = find(term.literal());
        if (literal == null) {
            throw new IllegalStateException("no such text");
        }
        literal.remove(term);
        if (!literal.isEmpty()) {
            return;
        }
        LiteralAutomaton automaton = literal.automaton();
        List<LiteralAutomaton> automata = current.copyOfAutomata();
        List<Substring> singles = current.copyOfSingles();
        if (automaton == null) {
            singles.remove(literal);
            current = new Current(singles, automata);
        } else if (automaton.isMostlyDead()) {
            automata.remove(automaton);
            fold(automaton.liveLiterals(), singles, automata);
        }
    }

    /// Number of terms that are found by a text.
    int sharing(byte[] text) {
        Substring known = find(text);
        return known == null ? 0 : known.terms();
    }

    private void foldIfMany() {
        int terms = 0;
        for (Substring single : current.singles) {
            terms += single.terms();
        }
        if (terms > MAX_SINGLE) {
            fold(current.copyOfSingles(), List.of(), current.copyOfAutomata());
        }
    }

    /// Replaces some texts, and automata that are not much larger, by one automaton.
    private void fold(
            List<Substring> fresh, List<Substring> singles, List<LiteralAutomaton> automata) {
        int states = fresh.stream().mapToInt(literal -> literal.text().length).sum();
        while (!automata.isEmpty()) {
            LiteralAutomaton smallest = automata.getLast();
            if (smallest.live() > GROWTH * fresh.size()
                    || smallest.states() + states > MAX_STATES) {
                break;
            }
            automata.removeLast();
            fresh.addAll(smallest.liveLiterals());
            states += smallest.states();
        }
        if (!fresh.isEmpty()) {
            automata.add(new LiteralAutomaton(fresh));
            automata.sort(Comparator.comparingInt(LiteralAutomaton::states).reversed());
        }
        current = new Current(singles, automata);
    }

    private @Nullable Substring find(byte[] text) {
        for (Substring single : current.singles) {
            if (Arrays.equals(single.text(), text)) {
                return single;
            }
        }
        for (LiteralAutomaton automaton : current.automata) {
            Substring found = automaton.find(text);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
