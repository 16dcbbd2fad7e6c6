package winnow.loadgen.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.FDistribution;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.DiagonalMatrix;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/// Standard errors, lack of fit and the cost of disturbances, from the errors that a fit leaves.
/// All of it in weighted rows: a and e are slopes and errors times the root of the weight.
///
/// Standard errors do not assume that all points are equally exact. Where each point has an error
/// of its own they are HC3 (MacKinnon and White 1985); where all points of a replication grade
/// share one, CR2 by grade with degrees of freedom by Bell and McCaffrey 2002. Which it is follows
/// from [LackOfFit#isByGrade].
///
/// Immutable.
final class ResidualAnalysis {

    private static final int PARAMETERS = 3;

    /// Leverage near 1 would divide by zero.
    private static final double LEAST_FREE = 1e-3;

    private final List<Observation> observations;
    private final int size;
    private final RealMatrix slopes;

    /// Of the weights.
    private final double[] roots;

    private final RealMatrix rows;
    private final double[] errors;

    /// Errors that Huber's weight has cut.
    private final double[] cut;

    /// Inverse of the normal equations, for leverage.
    private final RealMatrix inverse;

    /// The same with the derivative of Huber's function: errors that were cut do not pull.
    private final RealMatrix bread;

    /// I - H: maps what is measured to errors.
    private final RealMatrix residual;

    ResidualAnalysis(List<Observation> observations, Linearization end) {
        this.observations = observations;
        size = observations.size();
        slopes = end.slopes();
        var weights = end.weights();
        var huber = end.huber();
        roots = new double[size];
        errors = end.errors();
        cut = new double[size];
        var pulls = new double[size];
        var uncut = 0;
        for (var i = 0; i < size; i++) {
            roots[i] = Math.sqrt(weights[i]);
            errors[i] *= roots[i];
            cut[i] = errors[i] * huber[i];
            pulls[i] = huber[i] < 1 ? 0 : 1;
            uncut += huber[i] < 1 ? 0 : 1;
        }
        rows = new DiagonalMatrix(roots).multiply(slopes);
        inverse = inverseGram(rows);
        // With so many cut the derivative says little; the weights themselves are the safe side.
        var derivative = uncut >= 0.6 * size ? pulls : huber;
        bread = inverseOf(rows.transpose().multiply(new DiagonalMatrix(derivative)).multiply(rows));
        residual =
                MatrixUtils.createRealIdentityMatrix(size)
                        .subtract(rows.multiply(inverse).multiply(rows.transpose()));
    }

    /// Of the parameters, and of single points around the model.
    ParameterErrors errors() {
        var byGrade = lackOfFit().isByGrade();
        var covariance = byGrade ? clustered() : independent();
        var freedom =
                IntStream.range(0, PARAMETERS)
                        .mapToDouble(i -> byGrade ? clusteredFreedom(i) : size - PARAMETERS)
                        .boxed()
                        .toList();
        return new ParameterErrors(
                covariance,
                freedom,
                byGrade ? gradedPoint() : singlePoint(),
                byGrade ? grades().size() - 1.0 : size - PARAMETERS,
                mostReadings(),
                Arrays.stream(roots).map(root -> root * root).average().orElseThrow());
    }

    private int mostReadings() {
        return observations.stream().mapToInt(point -> point.readings().size()).max().orElseThrow();
    }

    /// Standard deviation of log B of a point of weight 1 that has an error of its own.
    private double singlePoint() {
        var squares = 0.0;
        for (var error : cut) {
            squares += error * error;
        }
        return Math.sqrt(squares / (size - PARAMETERS));
    }

    /// The same where points of a grade share one: what the fit has taken up of it is put back.
    private double gradedPoint() {
        var squares = 0.0;
        for (var grade : grades()) {
            for (var error : adjustment(grade).operate(select(cut, grade))) {
                squares += error * error;
            }
        }
        return Math.sqrt(squares / size);
    }

    /// Factor by which disturbances widen the interval that widens most: against readings that all
    /// have a weight of 1.
    double widening() {
        var calm =
                observations.stream()
                        .mapToDouble(point ->
                                Math.sqrt((double) point.readings().size() / mostReadings()))
                        .toArray();
        var undisturbed = inverseGram(new DiagonalMatrix(calm).multiply(slopes));
        var most = 1.0;
        for (var parameter = 0; parameter < PARAMETERS; parameter++) {
            most =
                    Math.max(
                            most,
                            Math.sqrt(
                                    inverse.getEntry(parameter, parameter)
                                            / undisturbed.getEntry(parameter, parameter)));
        }
        return most;
    }

    LackOfFit lackOfFit() {
        var pure = PureError.of(observations);
        var model = squaredErrors(rows);
        var withGrades = new Array2DRowRealMatrix(size, PARAMETERS + grades().size());
        withGrades.setSubMatrix(rows.getData(), 0, 0);
        var column = PARAMETERS;
        for (var grade : grades()) {
            for (var row : grade) {
                withGrades.setEntry(row, column, roots[row]);
            }
            column++;
        }
        var rank = new SingularValueDecomposition(withGrades).getRank();
        var graded = squaredErrors(withGrades);
        var terms = rank - PARAMETERS;
        var ofGrades = (model - graded) / terms;
        return new LackOfFit(
                pure.standardDeviation(),
                pure.degreesOfFreedom() == 0
                        ? Double.NaN
                        : tail(
                                model / (size - PARAMETERS),
                                size - PARAMETERS,
                                pure.varianceOfMedian(),
                                pure.degreesOfFreedom()),
                tail(ofGrades, terms, graded / (size - rank), size - rank));
    }

    /// Probability that the ratio of two mean squares is so large by chance; 1 if one of them has
    /// nothing to be estimated from.
    private static double tail(double above, int aboveFreedom, double below, int belowFreedom) {
        if (aboveFreedom < 1 || belowFreedom < 1 || above < 1e-18) {
            return 1;
        }
        if (below < 1e-18) {
            return 0;
        }
        return 1
                - new FDistribution(aboveFreedom, belowFreedom)
                        .cumulativeProbability(above / below);
    }

    /// Squares that a linear model with these columns leaves of the errors.
    private double squaredErrors(RealMatrix columns) {
        var target = MatrixUtils.createRealVector(errors);
        var solved = new SingularValueDecomposition(columns).getSolver().solve(target);
        return target.subtract(columns.operate(solved))
                .dotProduct(target.subtract(columns.operate(solved)));
    }

    /// HC3.
    private RealMatrix independent() {
        var free = new double[size];
        for (var i = 0; i < size; i++) {
            var left = Math.max(LEAST_FREE, residual.getEntry(i, i));
            free[i] = cut[i] * cut[i] / (left * left);
        }
        return sandwich(rows.transpose().multiply(new DiagonalMatrix(free)).multiply(rows));
    }

    /// CR2.
    private RealMatrix clustered() {
        RealMatrix filling = new Array2DRowRealMatrix(PARAMETERS, PARAMETERS);
        for (var grade : grades()) {
            var own = MatrixUtils.createColumnRealMatrix(select(cut, grade));
            var pull = select(rows, grade).transpose().multiply(adjustment(grade)).multiply(own);
            filling = filling.add(pull.multiply(pull.transpose()));
        }
        return sandwich(filling);
    }

    /// Satterthwaite's: as many as a variance of this shape has if all points are equally exact.
    private double clusteredFreedom(int parameter) {
        var grades = grades();
        var projected = new Array2DRowRealMatrix(size, grades.size());
        for (var g = 0; g < grades.size(); g++) {
            var grade = grades.get(g);
            var own = select(rows, grade).operate(inverse.getRow(parameter));
            var pull = adjustment(grade).operate(own);
            projected.setColumn(g, columns(residual, grade).operate(pull));
        }
        var omega = projected.transpose().multiply(projected);
        var trace = omega.getTrace();
        return trace * trace / omega.multiply(omega).getTrace();
    }

    private RealMatrix sandwich(RealMatrix filling) {
        return bread.multiply(filling).multiply(bread);
    }

    /// Inverse root of the part of I - H that belongs to a grade.
    private RealMatrix adjustment(int[] grade) {
        var part = residual.getSubMatrix(grade, grade);
        // Rounding has made it asymmetric by a last digit.
        var symmetric = part.add(part.transpose()).scalarMultiply(0.5);
        var own = new EigenDecompositionSymmetric(symmetric);
        var values = own.getEigenvalues();
        for (var i = 0; i < values.length; i++) {
            values[i] = values[i] > LEAST_FREE * LEAST_FREE ? 1 / Math.sqrt(values[i]) : 0;
        }
        return own.getV().multiply(new DiagonalMatrix(values)).multiply(own.getVT());
    }

    /// Positions of the points of each replication grade.
    private List<int[]> grades() {
        var grades = new ArrayList<int[]>();
        observations.stream()
                .mapToDouble(Observation::replicationGrade)
                .distinct()
                .forEach(grade -> {
                    var positions = new ArrayList<Integer>();
                    for (var i = 0; i < size; i++) {
                        if (observations.get(i).replicationGrade() == grade) {
                            positions.add(i);
                        }
                    }
                    grades.add(positions.stream().mapToInt(Integer::intValue).toArray());
                });
        return grades;
    }

    private static RealMatrix select(RealMatrix matrix, int[] positions) {
        return matrix.getSubMatrix(positions, new int[] {0, 1, 2});
    }

    private RealMatrix columns(RealMatrix matrix, int[] positions) {
        var all = new int[size];
        for (var i = 0; i < size; i++) {
            all[i] = i;
        }
        return matrix.getSubMatrix(all, positions);
    }

    private static double[] select(double[] values, int[] positions) {
        var selected = new double[positions.length];
        for (var i = 0; i < positions.length; i++) {
            selected[i] = values[positions[i]];
        }
        return selected;
    }

    private static RealMatrix inverseGram(RealMatrix matrix) {
        return inverseOf(matrix.transpose().multiply(matrix));
    }

    /// Columns are scaled first: those of filters reach 200 where that of t_rcv is 1.
    private static RealMatrix inverseOf(RealMatrix gram) {
        var scales = new double[gram.getRowDimension()];
        for (var i = 0; i < scales.length; i++) {
            scales[i] = gram.getEntry(i, i) > 0 ? 1 / Math.sqrt(gram.getEntry(i, i)) : 1;
        }
        var scale = new DiagonalMatrix(scales);
        var scaled = scale.multiply(gram).multiply(scale);
        return scale.multiply(new SingularValueDecomposition(scaled).getSolver().getInverse())
                .multiply(scale);
    }
}
