package winnow.loadgen.forecast;

import java.util.List;

/// The iterations of a [BatchServer] at one rate, in their stationary distribution. Immutable.
final class BatchCycles {

    private static final double NEGLECTED = 1e-12;

    private final BatchServer server;
    private final double perSecond;
    private final List<State> states;
    private final double[] shares;

    /// Iterations with the same number of messages.
    ///
    /// @param seconds that they take
    /// @param arrivals meanwhile
    record State(double messages, double seconds, ArrivalRow arrivals) {

        static State of(double perSecond, double clump, double messages, double seconds) {
            return new State(messages, seconds, ArrivalRow.of(perSecond * seconds, clump));
        }
    }

    /// @param shares of the states; add up to 1
    BatchCycles(BatchServer server, double perSecond, List<State> states, double[] shares) {
        this.server = server;
        this.perSecond = perSecond;
        this.states = List.copyOf(states);
        this.shares = shares.clone();
    }

    /// Share of the time that iterations take.
    double busyShare() {
        var busy = 0.0;
        var idle = 0.0;
        for (var i = 0; i < shares.length; i++) {
            busy += shares[i] * states.get(i).seconds();
            idle += shares[i] * nobodyComes(states.get(i)) * server.clump() / perSecond;
        }
        return busy / (busy + idle);
    }

    /// Mean over the iterations.
    double messages() {
        var sum = 0.0;
        for (var i = 0; i < shares.length; i++) {
            sum += shares[i] * states.get(i).messages();
        }
        return sum;
    }

    /// From the arrival of a message to the end of its iteration.
    Waiting waiting() {
        var clump = server.clump();
        var last = states.stream().mapToDouble(State::seconds).max().orElseThrow();
        var mean = perSecond * last;
        var most = mean + 10 * Math.sqrt((mean + 1) * (2 * clump - 1)) + 70 * clump;
        var mixture = new RampMixture(last + server.wakeSeconds() + server.seconds(1 + most));
        // The messages of a clump that comes alone.
        var alone = ArrivalRow.of(0, clump).joined(clump);
        for (var i = 0; i < shares.length; i++) {
            var state = states.get(i);
            // Messages that find the loop asleep wake it.
            var waking = shares[i] * nobodyComes(state) * clump;
            for (var k = 0; k < alone.size() && waking > NEGLECTED; k++) {
                mixture.add(
                        waking * alone.probability(k),
                        server.wakeSeconds() + server.seconds(alone.number(k)),
                        0);
            }
            var weight = shares[i] * perSecond * state.seconds();
            var row = state.arrivals().joined(clump);
            for (var k = 0; k < row.size(); k++) {
                var part = weight * row.probability(k);
                if (part > NEGLECTED) {
                    mixture.add(part, server.seconds(row.number(k)), state.seconds());
                }
            }
        }
        return mixture.complete();
    }

    /// Probability that nothing arrives in an iteration, so that the loop sleeps after it.
    private double nobodyComes(State state) {
        return Math.exp(-perSecond / server.clump() * state.seconds());
    }
}
