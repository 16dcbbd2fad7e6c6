package winnow.broker.matching;

import org.jspecify.annotations.Nullable;
import winnow.broker.metrics.MatchCounters;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.api.MatchPause;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;
import winnow.wire.MessageBlock;

/// The scratch space of one event loop for matching, or of one match that was stopped, and what was
/// done with it since it was last settled. Owned by the loop.
public final class MatchContext {
    private final PropertyProjection projection;
    private final SlotValues values = new SlotValues();
    private final MatchPause pause;
    private final MatchScratch matching;
    private PropertyLimits limits = PropertyLimits.NONE;
    private @Nullable Object rest;
    private long messages;
    private long matches;
    private long probes;
    private long evaluations;
    private long nanos;
    private long settledCandidates;
    private long settledTests;

    /// @param pause tells when the loop's turn is over
    public MatchContext(NameDictionary names, MatchPause pause) {
        projection = new PropertyProjection(names);
        this.pause = pause;
        matching = new MatchScratch(pause);
    }

    public SlotValues values() {
        return values;
    }

    MatchScratch matching() {
        return matching;
    }

    /// True if the rest of a match has to be left for later.
    ///
    /// @param done units of work that the match has done so far
    boolean turnIsOver(long done) {
        return pause.unitsAllowed(done) <= 0;
    }

    /// Keeps what is left of a match.
    void leave(Object what) {
        rest = what;
    }

    /// Takes what was left, null if nothing is.
    @Nullable Object takeRest() {
        Object taken = rest;
        rest = null;
        return taken;
    }

    /// Gives a match up that was stopped.
    public void abandon() {
        matching.abandon();
        rest = null;
    }

    /// Forgets the array of the last message; what was found out about it stays.
    public void forget() {
        values.clear();
        projection.forget();
    }

    /// Fills the values for the message; they borrow the block's array.
    ///
    /// @throws RefusedException if it exceeds the [#limits]
    /// @throws winnow.wire.WireException if its properties are malformed
    void project(MessageBlock block, Slots slots, SlotsByName slotsByName) {
        projection.project(block, slots, slotsByName, values, limits);
    }

    /// Looks at the strings and properties of a message that no selector asks for any. The values
    /// stay as they are.
    ///
    /// @throws RefusedException if it exceeds the [#limits]
    /// @throws winnow.wire.WireException if its properties are malformed
    public void check(MessageBlock block) {
        projection.check(block, limits);
    }

    /// Sets the limits for the properties of the message that follows.
    public void limits(PropertyLimits ofMessage) {
        limits = ofMessage;
    }

    /// Largest number of a property name in the message, 0 if it has none.
    public int maxNameId() {
        return projection.maxNameId();
    }

    /// True if the message may have a property that a shard looks for.
    public boolean special() {
        return projection.special();
    }

    /// Selectors in an index ask for the values.
    void probed() {
        probes += values.presentCount();
    }

    /// Selectors are evaluated that no index led to.
    void evaluated(int selectors) {
        evaluations += selectors;
    }

    /// A message was matched.
    public void matched(int subscriptions) {
        messages++;
        matches += subscriptions;
    }

    /// Matching took so long, as far as samples tell.
    public void took(long estimatedNanos) {
        nanos += estimatedNanos;
    }

    /// Adds what was done since the last call to both.
    public void settle(MatchCounters topic, MatchCounters total) {
        long candidates = matching.candidates() - settledCandidates;
        long tests = matching.tests() - settledTests;
        settledCandidates += candidates;
        settledTests += tests;
        evaluations += tests;
        addTo(topic, candidates);
        addTo(total, candidates);
        messages = 0;
        matches = 0;
        probes = 0;
        evaluations = 0;
        nanos = 0;
    }

    private void addTo(MatchCounters counters, long candidates) {
        counters.messages.add(messages);
        counters.matches.add(matches);
        counters.probes.add(probes);
        counters.candidates.add(candidates);
        counters.evaluations.add(evaluations);
        counters.nanos.add(nanos);
    }
}
