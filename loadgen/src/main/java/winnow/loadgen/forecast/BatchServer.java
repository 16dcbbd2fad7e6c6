package winnow.loadgen.forecast;

import java.util.ArrayList;
import java.util.List;
import org.hipparchus.distribution.continuous.GammaDistribution;
import winnow.loadgen.forecast.BatchCycles.State;

/// A server that takes all messages that wait, works, and releases all of them at the end of its
/// iteration, as an event loop does that reads, routes and writes in turn. Its waiting time lasts
/// from the arrival of a message to the end of the iteration that serves it.
///
/// An iteration with N messages takes `a + c N`: what it takes to poll, read and write is shared by
/// all of its messages, so a message costs c + a/N, and N grows with the load. Cycles are a Markov
/// chain over N, which is solved for its stationary distribution; a message that arrives in an
/// iteration waits for the rest of it and for its own.
///
/// @param iterationSeconds what an iteration takes whatever is in it, above 0
/// @param readSeconds more for each publisher of whom it has messages
/// @param wakeSeconds more if the loop has slept
/// @param messageSeconds c: all that one message takes
/// @param publishers who send to this loop
/// @param clump mean number of messages that arrive at the same time, which is geometric; 1 if each
///   arrives by itself
public record BatchServer(
        double iterationSeconds,
        double readSeconds,
        double wakeSeconds,
        double messageSeconds,
        int publishers,
        double clump)
        implements QueueServer {

    /// States of the chain at most. Beyond them N has a gamma distribution.
    private static final int LARGEST_CHAIN = 600;

    /// Points of the gamma distribution, and what is left out at each of its ends.
    private static final int POINTS = 201;

    private static final double TAIL = 1e-8;

    private static final int MOST_STEPS = 20_000;
    private static final double SETTLED = 1e-11;
    private static final double NEGLECTED = 1e-12;

    public BatchServer {
        if (!(iterationSeconds > 0 && messageSeconds > 0 && readSeconds >= 0 && wakeSeconds >= 0)) {
            throw new IllegalArgumentException(
                    "expected times above 0 s, found %s s an iteration, %s s a message"
                            .formatted(iterationSeconds, messageSeconds));
        }
        if (publishers < 1) {
            throw new IllegalArgumentException(
                    "expected at least one publisher, found " + publishers);
        }
    }

    /// A server whose messages arrive one by one.
    BatchServer(
            double iterationSeconds,
            double readSeconds,
            double wakeSeconds,
            double messageSeconds,
            int publishers) {
        this(iterationSeconds, readSeconds, wakeSeconds, messageSeconds, publishers, 1);
    }

    @Override
    public double capacityPerSecond() {
        return 1 / messageSeconds;
    }

    @Override
    public double busyShare(double perSecond) {
        return cycles(perSecond).busyShare();
    }

    /// Mean number of messages of an iteration.
    public double messagesPerIteration(double perSecond) {
        return cycles(perSecond).messages();
    }

    @Override
    public Waiting waiting(double perSecond) {
        return cycles(perSecond).waiting();
    }

    /// Time of an iteration with so many messages that had not slept.
    double seconds(double messages) {
        var reads =
                publishers == 1 ? 1 : publishers * (1 - Math.pow(1 - 1.0 / publishers, messages));
        return iterationSeconds + readSeconds * reads + messageSeconds * messages;
    }

    private BatchCycles cycles(double perSecond) {
        QueueServer.check(perSecond, this);
        var load = perSecond * messageSeconds;
        // With all publishers in each iteration, the most that can be.
        var mean =
                Math.max(
                        clump,
                        perSecond * (iterationSeconds + readSeconds * publishers) / (1 - load));
        var spread = Math.sqrt(mean * (2 * clump - 1) / (1 - load * load));
        var size = (int) Math.min(mean + 12 * spread + 30, Integer.MAX_VALUE);
        return size <= LARGEST_CHAIN ? chain(perSecond, size) : large(perSecond);
    }

    /// States with 0 to `size` messages, of which the first one never is, and then those after the
    /// loop has slept, with the messages of one clump.
    private BatchCycles chain(double perSecond, int size) {
        var states = new ArrayList<State>();
        for (var i = 0; i <= size; i++) {
            states.add(State.of(perSecond, clump, i, seconds(i)));
        }
        var woken = ArrivalRow.clump(clump, size);
        for (var k = 0; k < woken.size(); k++) {
            var messages = woken.number(k);
            states.add(State.of(perSecond, clump, messages, seconds(messages) + wakeSeconds));
        }
        var shares = new double[states.size()];
        shares[1] = 1;
        for (var step = 0; step < MOST_STEPS; step++) {
            var next = next(shares, states, size, woken);
            var change = 0.0;
            for (var i = 0; i < shares.length; i++) {
                change += Math.abs(next[i] - shares[i]);
            }
            shares = next;
            if (change < SETTLED) {
                break;
            }
        }
        return new BatchCycles(this, perSecond, states, shares);
    }

    /// The states after one more iteration: as many messages as came while it lasted, or a clump
    /// that wakes the loop if none came.
    private static double[] next(double[] shares, List<State> states, int size, ArrivalRow woken) {
        var next = new double[shares.length];
        for (var i = 0; i < shares.length; i++) {
            if (shares[i] < NEGLECTED / shares.length) {
                continue;
            }
            var row = states.get(i).arrivals();
            for (var k = 0; k < row.size(); k++) {
                next[(int) Math.min(row.number(k), size)] += shares[i] * row.probability(k);
            }
        }
        var asleep = next[0];
        next[0] = 0;
        for (var k = 0; k < woken.size(); k++) {
            next[size + 1 + k] = asleep * woken.probability(k);
        }
        return ArrivalRow.sharesOf(next);
    }

    /// Points of a gamma distribution for N: the limit for large N, as in the process of Cox,
    /// Ingersoll and Ross.
    private BatchCycles large(double perSecond) {
        var load = perSecond * messageSeconds;
        var mean = clump;
        for (var i = 0; i < MOST_STEPS; i++) {
            var next = perSecond * (seconds(mean) - messageSeconds * mean) / (1 - load);
            var settled = Math.abs(next - mean) < SETTLED * mean;
            mean = Math.max(clump, next);
            if (settled) {
                break;
            }
        }
        var scale = (2 * clump - 1) / (1 - load * load);
        var messages = new GammaDistribution(mean / scale, scale);
        var low = messages.inverseCumulativeProbability(TAIL);
        var high = messages.inverseCumulativeProbability(1 - TAIL);
        var states = new ArrayList<State>();
        var shares = new double[POINTS];
        for (var i = 0; i < POINTS; i++) {
            var size = Math.max(1, low + (high - low) * (i + 0.5) / POINTS);
            states.add(State.of(perSecond, clump, size, seconds(size)));
            shares[i] = messages.density(size);
        }
        return new BatchCycles(this, perSecond, states, ArrivalRow.sharesOf(shares));
    }
}
