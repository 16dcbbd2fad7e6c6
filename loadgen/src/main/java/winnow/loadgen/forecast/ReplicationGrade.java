package winnow.loadgen.forecast;

import java.util.SortedMap;
import java.util.TreeMap;
import winnow.loadgen.chart.Digits;

/// R, the number of copies that the broker makes of a message, as a random number. The text form is
/// for people. Immutable.
public sealed interface ReplicationGrade {

    /// Of R.
    Moments moments();

    /// The copies that one of several brokers makes if the subscribers are spread over them.
    ReplicationGrade split(int brokers);

    /// Every message has the same number of copies: the shortest waiting times for a mean.
    record Constant(double copies) implements ReplicationGrade {
        public Constant {
            if (!(copies >= 0) || Double.isInfinite(copies)) {
                throw new IllegalArgumentException(
                        "expected a number of copies from 0, found " + copies);
            }
        }

        @Override
        public Moments moments() {
            return Moments.constant(copies);
        }

        /// A copy is made as a whole: some messages have one more than others.
        @Override
        public ReplicationGrade split(int brokers) {
            var each = copies / brokers;
            if (each == Math.rint(each)) {
                return new Constant(each);
            }
            var split = new TreeMap<Double, Double>();
            spread(split, each, 1);
            return new Empirical(split);
        }

        @Override
        public String toString() {
            return "always the same number";
        }
    }

    /// Each of the selectors matches by itself.
    ///
    /// @param selectors how many there are
    /// @param probability that one of them matches a message
    record Binomial(double selectors, double probability) implements ReplicationGrade {
        public Binomial {
            check(selectors, probability);
        }

        @Override
        public Moments moments() {
            var n = selectors;
            var p = probability;
            var mean = n * p;
            return new Moments(
                    mean,
                    mean * (1 - p) + mean * mean,
                    n * (n - 1) * (n - 2) * p * p * p + 3 * n * (n - 1) * p * p + mean);
        }

        @Override
        public Binomial split(int brokers) {
            return new Binomial(Math.max(1, selectors / brokers), probability);
        }

        @Override
        public String toString() {
            return "each selector matches %s of the messages by itself"
                    .formatted(percent(probability));
        }
    }

    /// All selectors match a message or none does: the longest waiting times for a mean.
    ///
    /// @param selectors how many there are
    /// @param probability that they match a message
    record Bernoulli(double selectors, double probability) implements ReplicationGrade {
        public Bernoulli {
            check(selectors, probability);
        }

        @Override
        public Moments moments() {
            var n = selectors;
            return new Moments(probability * n, probability * n * n, probability * n * n * n);
        }

        @Override
        public Bernoulli split(int brokers) {
            return new Bernoulli(selectors / brokers, probability);
        }

        @Override
        public String toString() {
            return "all selectors match %s of the messages, and none the others"
                    .formatted(percent(probability));
        }
    }

    /// As it was counted.
    ///
    /// @param weights share or number of messages by their copies; need not add up to 1
    record Empirical(SortedMap<Double, Double> weights) implements ReplicationGrade {
        public Empirical {
            weights = new TreeMap<>(weights);
            var total = 0.0;
            for (var entry : weights.entrySet()) {
                if (!(entry.getKey() >= 0) || !(entry.getValue() >= 0)) {
                    throw new IllegalArgumentException(
                            "expected copies and shares from 0, found "
                                    + entry.getKey()
                                    + "="
                                    + entry.getValue());
                }
                total += entry.getValue();
            }
            if (!(total > 0) || Double.isInfinite(total)) {
                throw new IllegalArgumentException(
                        "expected shares above 0 in sum, found " + total);
            }
        }

        @Override
        public Moments moments() {
            var total = 0.0;
            var sums = new double[3];
            for (var entry : weights.entrySet()) {
                var copies = entry.getKey();
                var weight = entry.getValue();
                total += weight;
                sums[0] += weight * copies;
                sums[1] += weight * copies * copies;
                sums[2] += weight * copies * copies * copies;
            }
            return new Moments(sums[0] / total, sums[1] / total, sums[2] / total);
        }

        @Override
        public Empirical split(int brokers) {
            var split = new TreeMap<Double, Double>();
            weights.forEach((copies, weight) -> spread(split, copies / brokers, weight));
            return new Empirical(split);
        }

        @Override
        public String toString() {
            return "as the given shares say";
        }
    }

    /// Adds whole numbers of copies whose mean is a given one.
    private static void spread(SortedMap<Double, Double> weights, double mean, double weight) {
        var low = Math.floor(mean);
        var more = mean - low;
        weights.merge(low, weight * (1 - more), Double::sum);
        if (more > 0) {
            weights.merge(low + 1, weight * more, Double::sum);
        }
    }

    private static void check(double selectors, double probability) {
        if (!(selectors >= 0) || Double.isInfinite(selectors)) {
            throw new IllegalArgumentException(
                    "expected a number of selectors from 0, found " + selectors);
        }
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException(
                    "expected a probability from 0 to 1, found " + probability);
        }
    }

    private static String percent(double share) {
        return Digits.three(share * 100) + " %";
    }
}
