package winnow.selector.index.learn;

import java.util.List;
import winnow.selector.index.term.Term;
import winnow.selector.slot.SlotValues;

/// Some terms that every sampled message is asked for, to learn for how many messages each is true,
/// whatever else it is asked. Any thread counts, without locks.
final class Watch {

    /// 64 terms take about 200 ns of a sampled message, that is 1 ns of a message in the mean.
    static final int MAX_TERMS = 64;

    static final Watch NOTHING = new Watch(List.of(), 0);

    private final Term[] terms;
    private final int[] hits;

    /// By term: the highest slot that it looks at.
    private final int[] newestSlots;

    /// The first version of the slots that has all the terms look at.
    private final long requiredVersion;

    private int messages;

    Watch(List<Term> terms, long requiredVersion) {
        this.terms = terms.toArray(Term[]::new);
        this.hits = new int[this.terms.length];
        this.newestSlots = new int[this.terms.length];
        for (int i = 0; i < newestSlots.length; i++) {
            newestSlots[i] = this.terms[i].newestSlot();
        }
        this.requiredVersion = requiredVersion;
    }

    void count(SlotValues values) {
        if (values.version() < requiredVersion) {
            return;
        }
        for (int i = 0; i < terms.length; i++) {
            // Not remembered: the number may belong to another term by now. If the term has gone,
            // the message may not even have a place for what it looks at.
            if (values.holds(newestSlots[i]) && terms[i].testUnremembered(values)) {
                hits[i]++;
            }
        }
        messages++;
    }

    int size() {
        return terms.length;
    }

    Term term(int i) {
        return terms[i];
    }

    int hits(int i) {
        return hits[i];
    }

    int messages() {
        return messages;
    }
}
