package winnow.loadgen.forecast;

/// Probabilities of a number of messages that arrive in clumps as a Poisson process; those left out
/// are below 1e-15 of the largest. Large numbers are taken in steps. Immutable.
final class ArrivalRow {

    private static final double NEGLECTED = 1e-15;

    /// Above it the number is nearly normal.
    private static final double LARGE = 10_000;

    /// Probabilities are scaled before they are larger than a double can be.
    private static final double LARGEST = 1e200;

    private static final int POINTS = 81;
    private static final int MIDDLE = 40;
    private static final double DEVIATIONS_APART = 0.2;

    private final double from;
    private final double step;
    private final double[] probabilities;

    /// @param from the number of the first probability
    /// @param step from one number to the next
    /// @param probabilities add up to 1
    private ArrivalRow(double from, double step, double[] probabilities) {
        this.from = from;
        this.step = step;
        this.probabilities = probabilities;
    }

    /// @param mean of the messages
    /// @param clump mean of a clump, whose number of messages is geometric; 1 for single messages
    static ArrivalRow of(double mean, double clump) {
        if (mean > LARGE) {
            return normal(mean, clump);
        }
        return clump == 1 ? single(mean) : clumped(mean, clump);
    }

    private static ArrivalRow single(double mean) {
        var mode = (int) mean;
        var spread = (int) (9 * Math.sqrt(mean + 1)) + 25;
        var low = Math.max(0, mode - spread);
        var row = new double[mode + spread - low + 1];
        row[mode - low] = 1;
        for (var k = mode; k > low && row[k - low] > NEGLECTED; k--) {
            row[k - 1 - low] = row[k - low] * k / mean;
        }
        for (var k = mode + 1; k - low < row.length && row[k - 1 - low] > NEGLECTED; k++) {
            row[k - low] = row[k - 1 - low] * mean / k;
        }
        return new ArrivalRow(low, 1, sharesOf(row));
    }

    /// Distribution of Pólya and Aeppli, by its recurrence.
    private static ArrivalRow clumped(double mean, double clump) {
        var clumps = mean / clump;
        var more = 1 - 1 / clump;
        var spread = 9 * Math.sqrt((mean + 1) * (2 * clump - 1)) + 35 * clump;
        var row = new double[(int) (mean + spread) + 2];
        row[0] = 1;
        row[1] = clumps / clump;
        for (var k = 2; k < row.length; k++) {
            row[k] =
                    ((2 * (k - 1) * more + clumps / clump) * row[k - 1]
                                    - (k - 2) * more * more * row[k - 2])
                            / k;
            if (row[k] > LARGEST) {
                for (var i = 0; i <= k; i++) {
                    row[i] /= LARGEST;
                }
            }
        }
        return new ArrivalRow(0, 1, sharesOf(row));
    }

    /// The messages of one clump.
    ///
    /// @param most are not exceeded
    static ArrivalRow clump(double clump, int most) {
        var size = clump == 1 ? 1 : (int) Math.min(most, 35 * clump);
        var row = new double[size];
        row[0] = 1;
        for (var k = 1; k < size; k++) {
            row[k] = row[k - 1] * (1 - 1 / clump);
        }
        return new ArrivalRow(1, 1, sharesOf(row));
    }

    /// The messages of an iteration as one of them sees it that has arrived among these: with the
    /// others of its clump, of whom a large one has more.
    ArrivalRow joined(double clump) {
        if (clump == 1 || step != 1) {
            return new ArrivalRow(from + 2 * clump - 1, step, probabilities);
        }
        var row = probabilities;
        for (var side = 0; side < 2; side++) {
            row = withGeometric(row, 1 - 1 / clump);
        }
        return new ArrivalRow(from + 1, 1, row);
    }

    /// The sum with a number from 0 with a geometric distribution, but for what is beyond the row.
    private static double[] withGeometric(double[] row, double more) {
        var sum = new double[row.length];
        var last = 0.0;
        for (var k = 0; k < row.length; k++) {
            last = more * last + (1 - more) * row[k];
            sum[k] = last;
        }
        return sharesOf(sum);
    }

    private static ArrivalRow normal(double mean, double clump) {
        var step = DEVIATIONS_APART * Math.sqrt(mean * (2 * clump - 1));
        var row = new double[POINTS];
        for (var i = 0; i < POINTS; i++) {
            var off = (i - MIDDLE) * DEVIATIONS_APART;
            row[i] = Math.exp(-off * off / 2);
        }
        return new ArrivalRow(mean - MIDDLE * step, step, sharesOf(row));
    }

    /// The same values divided by their sum.
    static double[] sharesOf(double[] values) {
        var sum = 0.0;
        for (var value : values) {
            sum += value;
        }
        for (var i = 0; i < values.length; i++) {
            values[i] /= sum;
        }
        return values;
    }

    /// Length of the row.
    int size() {
        return probabilities.length;
    }

    double probability(int index) {
        return probabilities[index];
    }

    /// The number of a probability.
    double number(int index) {
        return from + index * step;
    }
}
