package winnow.loadgen.rate;

import java.util.ArrayList;
import java.util.List;
import winnow.loadgen.run.LoadException;

/// Looks for the highest rate at which a broker meets an aim: doubles the rate until it does not,
/// halves the distance until that is 5 %, and runs the rate that it found twice more. A rate at
/// which one of these runs misses the aim is not it: chance runs must not decide, so the search
/// goes on below. Owned by one thread.
public final class KneeSearch {

    /// Ratio of the lowest rate that misses the aim to the highest that meets it.
    private static final double CLOSE = 1.05;

    /// Runs that have to meet the aim at the rate that is found.
    private static final int RUNS = 3;

    /// Rate after one that did not meet the aim each time.
    private static final double STEP_DOWN = 0.93;

    /// No rate is tried below this, in messages a second.
    private static final double LOWEST = 1;

    private static final int MAX_RUNS = 60;

    private final LatencyAim aim;
    private final Runs runs;
    private final List<RateResult> results = new ArrayList<>();

    /// Measures at a rate.
    @FunctionalInterface
    public interface Runs {
        RateResult at(double messagesPerSecond) throws LoadException, InterruptedException;
    }

    private KneeSearch(LatencyAim aim, Runs runs) {
        this.aim = aim;
        this.runs = runs;
    }

    /// Searches.
    ///
    /// @param from rate to begin with, in messages a second
    public static Knee search(LatencyAim aim, double from, Runs runs)
            throws LoadException, InterruptedException {
        return new KneeSearch(aim, runs).search(from);
    }

    private Knee search(double from) throws LoadException, InterruptedException {
        var low = 0.0;
        var high = Double.POSITIVE_INFINITY;
        for (var rate = from; low == 0 || high == Double.POSITIVE_INFINITY; ) {
            if (rate < LOWEST || results.size() >= MAX_RUNS) {
                return new Knee(0, high, results);
            }
            if (meets(rate)) {
                low = rate;
                rate *= 2;
            } else {
                high = rate;
                rate /= 2;
            }
        }
        while (high / low > CLOSE) {
            var middle = Math.sqrt(low * high);
            if (meets(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        while (!meetsAgain(low)) {
            high = low;
            low *= STEP_DOWN;
            if (low < LOWEST || results.size() >= MAX_RUNS) {
                return new Knee(0, high, results);
            }
        }
        return new Knee(low, high, results);
    }

    private boolean meetsAgain(double rate) throws LoadException, InterruptedException {
        var met =
                results.stream()
                        .filter(one -> one.ratePerSecond() == rate && aim.isMetBy(one))
                        .count();
        for (; met < RUNS; met++) {
            if (!meets(rate)) {
                return false;
            }
        }
        return true;
    }

    /// A run that is void is made once more: something else took the processors.
    private boolean meets(double rate) throws LoadException, InterruptedException {
        var result = runs.at(rate);
        results.add(result);
        if (!result.voidReason().isEmpty()) {
            result = runs.at(rate);
            results.add(result);
        }
        return aim.isMetBy(result);
    }
}
