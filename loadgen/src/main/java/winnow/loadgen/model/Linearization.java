package winnow.loadgen.model;

import java.util.Arrays;
import java.util.List;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/// The model of log B around given parameters, where it is linear: log B = log m + (x·t - m) / m
/// with m = x·t at these parameters. A step of Gauss and Newton solves it. Immutable.
final class Linearization {

    /// Errors beyond so many standard deviations count as if they were no larger (Huber).
    private static final double HUBER = 2;

    /// Least B of the model over the measured one: where t_rcv is zero, a point without filters and
    /// copies has none at all.
    private static final double LEAST = 1e-3;

    /// Median of |e| of a normal distribution over its standard deviation.
    private static final double NORMAL_MEDIAN = 0.6745;

    private final List<Observation> observations;
    private final double[] parameters;
    private final double[] expected;
    private final double[] errors;
    private final double[] weights;
    private final double[] huber;

    private Linearization(List<Observation> observations, double[] parameters, double[] expected) {
        this.observations = observations;
        this.parameters = parameters;
        this.expected = expected;
        var most = observations.stream().mapToInt(point -> point.readings().size()).max();
        weights =
                observations.stream()
                        .mapToDouble(point -> point.totalWeight() / most.orElseThrow())
                        .toArray();
        errors = new double[expected.length];
        for (var i = 0; i < errors.length; i++) {
            errors[i] = Math.log(observations.get(i).serviceSeconds() / expected[i]);
        }
        huber = huberWeights();
    }

    /// Around what was measured: the start, relative least squares.
    static Linearization relative(List<Observation> observations) {
        return new Linearization(
                observations,
                new double[3],
                observations.stream().mapToDouble(Observation::serviceSeconds).toArray());
    }

    /// Around other parameters.
    Linearization at(double[] others) {
        var times = new ServiceTimes(others[0], others[1], others[2]);
        return new Linearization(
                observations,
                others,
                observations.stream()
                        .mapToDouble(point ->
                                Math.max(
                                        times.serviceSeconds(
                                                point.installedFilters(), point.replicationGrade()),
                                        point.serviceSeconds() * LEAST))
                        .toArray());
    }

    /// The parameters with the smallest squares, none below zero.
    double[] solve() {
        return squares().solve(target());
    }

    /// The parameters that it is around.
    double[] parameters() {
        return parameters;
    }

    NonNegativeLeastSquares squares() {
        return new NonNegativeLeastSquares(weightedRows());
    }

    /// The parameters with the smallest squares, whatever their sign.
    double[] unconstrained() {
        return new SingularValueDecomposition(new Array2DRowRealMatrix(weightedRows(), false))
                .getSolver()
                .solve(new Array2DRowRealMatrix(target()))
                .getColumn(0);
    }

    /// Derivatives of log B by the parameters, a row for each observation.
    RealMatrix slopes() {
        var rows = new double[expected.length][];
        for (var i = 0; i < rows.length; i++) {
            rows[i] = observations.get(i).factors();
            for (var column = 0; column < rows[i].length; column++) {
                rows[i][column] /= expected[i];
            }
        }
        return new Array2DRowRealMatrix(rows, false);
    }

    /// log(measured / model).
    double[] errors() {
        return errors.clone();
    }

    /// By disturbance, without Huber's.
    double[] weights() {
        return weights.clone();
    }

    /// 1 for errors of usual size, less for larger ones.
    double[] huber() {
        return huber.clone();
    }

    private double[][] weightedRows() {
        var rows = slopes().getData();
        for (var i = 0; i < rows.length; i++) {
            for (var column = 0; column < rows[i].length; column++) {
                rows[i][column] *= root(i);
            }
        }
        return rows;
    }

    private double[] target() {
        var target = new double[expected.length];
        for (var i = 0; i < target.length; i++) {
            target[i] = (1 + errors[i]) * root(i);
        }
        return target;
    }

    private double root(int observation) {
        return Math.sqrt(weights[observation] * huber[observation]);
    }

    private double[] huberWeights() {
        var factors = new double[errors.length];
        var scale = scale();
        for (var i = 0; i < factors.length; i++) {
            var size = Math.abs(errors[i]) * Math.sqrt(weights[i]);
            factors[i] = size > HUBER * scale ? HUBER * scale / size : 1;
        }
        return factors;
    }

    /// Robust standard deviation of the weighted errors; the two smallest are left out, because
    /// three parameters make some errors small. Infinite where errors are rounding only.
    private double scale() {
        var sizes = new double[errors.length];
        for (var i = 0; i < sizes.length; i++) {
            sizes[i] = Math.abs(errors[i]) * Math.sqrt(weights[i]);
        }
        Arrays.sort(sizes);
        var left = Arrays.copyOfRange(sizes, Math.min(2, sizes.length - 1), sizes.length);
        var median = left[left.length / 2];
        return median < 1e-9 ? Double.POSITIVE_INFINITY : median / NORMAL_MEDIAN;
    }
}
