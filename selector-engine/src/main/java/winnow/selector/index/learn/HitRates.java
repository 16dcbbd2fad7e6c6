package winnow.selector.index.learn;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.NumberTerm;
import winnow.selector.index.term.RangeTerm;
import winnow.selector.index.term.Term;
import winnow.selector.slot.Slots;

/// Counts for which part of the messages terms are true. Only terms that somebody asked for are
/// counted, up to 64 at a time, in turns. Writer only.
public final class HitRates {

    /// Sampled messages per turn.
    private static final int TURN = 64;

    /// Counts are halved when they are of this many sampled messages.
    private static final int WINDOW = 4_096;

    private static final int MAX_WANTED = 1_024;
    private static final int MAX_KNOWN = 4_096;

    private final IndexStatistics statistics;
    private final Slots slots;
    private final SequencedSet<Term> wanted = new LinkedHashSet<>();

    /// Least recently counted first.
    private final Map<Term, Counts> known =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Term, Counts> eldest) {
                    return size() > MAX_KNOWN;
                }
            };

    private static final class Counts {

        int hits;
        int messages;

        void add(int moreHits, int moreMessages) {
            hits += moreHits;
            messages += moreMessages;
            if (messages > WINDOW) {
                hits /= 2;
                messages /= 2;
            }
        }
    }

    public HitRates(IndexStatistics statistics, Slots slots) {
        this.statistics = statistics;
        this.slots = slots;
    }

    /// Null if it is not known.
    public @Nullable Double of(Term term) {
        Counts counts = known.get(term.observed());
        return counts == null ? null : (double) counts.hits / counts.messages;
    }

    /// Number of sampled messages that [#of] is a part of, 0 if it is not known.
    public int messages(Term term) {
        Counts counts = known.get(term.observed());
        return counts == null ? 0 : counts.messages;
    }

    /// Cost of a message per node that hangs on the term, by the observed rate, or else infinity.
    double observedCost(Term term) {
        Counts counts = known.get(term.observed());
        // Half a hit more, because what was never seen may still come.
        return counts == null
                ? Double.POSITIVE_INFINITY
                : term.cost((counts.hits + 0.5) / (counts.messages + 1));
    }

    /// The same, or else by what is observed of its slot, or else by what is usual for its kind.
    public double likelyCost(Term term) {
        double observed = observedCost(term);
        return Double.isFinite(observed) ? observed : term.likelyCost(statistics.messages());
    }

    public void want(Term term) {
        if (wanted.size() < MAX_WANTED) {
            wanted.add(term.observed());
        }
    }

    /// Takes the counts of this turn and begins the next, if enough messages were sampled.
    void turn() {
        Watch watch = statistics.watch();
        int messages = watch.messages();
        if (watch.size() > 0 && messages < TURN) {
            return;
        }
        for (int i = 0; i < watch.size(); i++) {
            Term term = watch.term(i);
            if (term.isUsed()) {
                Counts counts = known.get(term);
                if (counts == null) {
                    counts = new Counts();
                    known.put(term, counts);
                }
                counts.add(Math.min(watch.hits(i), messages), messages);
            }
        }
        if (watch.size() > 0 || !wanted.isEmpty()) {
            statistics.watch(next());
            // A range may have gone while it was counted.
            for (Iterator<Term> terms = known.keySet().iterator(); terms.hasNext(); ) {
                if (!terms.next().isUsed()) {
                    terms.remove();
                }
            }
        }
    }

    private Watch next() {
        SequencedSet<Term> terms = new LinkedHashSet<>();
        while (terms.size() < Watch.MAX_TERMS && !wanted.isEmpty()) {
            Term term = wanted.removeFirst();
            if (term.isUsed()) {
                terms.add(term);
            }
        }
        return terms.isEmpty() ? Watch.NOTHING : new Watch(List.copyOf(terms), slots.publish());
    }

    /// Forgets what is known of a term if it has gone. A range that other selectors have, too, is
    /// counted anew when it is asked for.
    public void forgetUnused(Term term) {
        if (known.isEmpty() && wanted.isEmpty()) {
            return;
        }
        // What a number term is observed as is a part of selectors, which forget it.
        boolean gone = !(term instanceof NumberTerm) && !term.isUsed();
        if (term instanceof RangeTerm || gone) {
            known.remove(term);
            wanted.remove(term);
        }
    }
}
