package winnow.selector.index.learn;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.node.Node;
import winnow.selector.index.node.Unobserved;
import winnow.selector.slot.SlotValues;

/// Statistics of an index from sampled messages: the readers' side. They record without locks and
/// without allocation; records that two make at the same time may be lost, which the estimates
/// bear.
public final class IndexStatistics {

    private static final int MAX_SIGHTINGS = 256;

    private final AtomicLong messages = new AtomicLong();

    /// Nodes without statistics that a message led to, for the writer to find.
    private final @Nullable Node<?>[] sightings = new Node<?>[MAX_SIGHTINGS];

    private int nextSighting;

    /// Number of messages that had been sampled when a sighting was lost last; -1 if none was.
    private volatile long lostSighting = -1;

    private volatile Watch watch = Watch.NOTHING;

    /// The last one given. Writer only.
    private Unobserved unobserved = new Unobserved(0);

    /// Counts a sampled message after it was matched.
    public void count(SlotValues values) {
        messages.incrementAndGet();
        watch.count(values);
    }

    public void sighted(Node<?> node) {
        int at = nextSighting++ & (MAX_SIGHTINGS - 1);
        if (sightings[at] != null) {
            loseSighting();
        }
        sightings[at] = node;
    }

    /// A message led to a node that will not be observed for that.
    void loseSighting() {
        long now = messages();
        if (lostSighting != now) {
            lostSighting = now;
        }
    }

    /// Number of messages that were sampled since a sighting was lost, all if none was.
    long messagesWithoutLoss() {
        return messages() - lostSighting - 1;
    }

    /// Number of sampled messages. Any thread.
    public long messages() {
        return messages.get();
    }

    /// Record of a node that comes now, or is not observed from now on. Writer only.
    public Unobserved unobserved() {
        long now = messages();
        if (now != unobserved.since()) {
            unobserved = new Unobserved(now);
        }
        return unobserved;
    }

    /// Takes one of the nodes that were sighted, null if there is none at this place. Writer only.
    @Nullable Node<?> takeSighting(int place) {
        int at = place & (MAX_SIGHTINGS - 1);
        Node<?> sighted = sightings[at];
        sightings[at] = null;
        return sighted;
    }

    /// True if it waits to be taken. Writer only.
    boolean isSighted(Node<?> node) {
        return Arrays.asList(sightings).contains(node);
    }

    Watch watch() {
        return watch;
    }

    /// Writer only.
    void watch(Watch next) {
        watch = next;
    }
}
