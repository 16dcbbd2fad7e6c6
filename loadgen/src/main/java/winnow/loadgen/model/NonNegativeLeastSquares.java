package winnow.loadgen.model;

import java.util.Arrays;
import java.util.Optional;
import org.hipparchus.exception.MathIllegalArgumentException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/// Least squares with coefficients that cannot be negative, for few columns: minimises |Ax - y|
/// subject to x >= 0. Immutable.
///
/// The minimum lies in the interior of one face of the positive orthant, where it solves the plain
/// least squares of the columns that are not zero. With k columns there are 2^k faces, so all are
/// tried and the best feasible one is exact; k is 3 here.
///
/// Columns are scaled to unit length first: t_fltr's column reaches 200 where t_rcv's is 1.
final class NonNegativeLeastSquares {

    /// Pivots of the scaled Gram matrix below this mean that columns depend on each other.
    private static final double SINGULAR_PIVOT = 1e-10;

    private final double[][] scaledRows;
    private final double[] scales;

    NonNegativeLeastSquares(double[][] rows) {
        var columns = rows[0].length;
        scales = new double[columns];
        for (var row : rows) {
            for (var column = 0; column < columns; column++) {
                scales[column] += row[column] * row[column];
            }
        }
        for (var column = 0; column < columns; column++) {
            scales[column] = scales[column] > 0 ? Math.sqrt(scales[column]) : 1;
        }
        scaledRows = new double[rows.length][columns];
        for (var i = 0; i < rows.length; i++) {
            for (var column = 0; column < columns; column++) {
                scaledRows[i][column] = rows[i][column] / scales[column];
            }
        }
    }

    /// Ratio of the largest to the smallest singular value of the scaled columns; infinite if the
    /// rows cannot tell the coefficients apart.
    double conditionNumber() {
        var values =
                new SingularValueDecomposition(new Array2DRowRealMatrix(scaledRows, false))
                        .getSingularValues();
        var smallest = values.length < scales.length ? 0 : values[values.length - 1];
        return smallest < values[0] * 1e-12 ? Double.POSITIVE_INFINITY : values[0] / smallest;
    }

    /// True if the rows determine every coefficient.
    boolean determined() {
        return gramOf(allColumns()).isPresent();
    }

    /// The coefficients, all zero if no column helps.
    double[] solve(double[] target) {
        var best = new double[scales.length];
        var bestResidual = squaredResidual(best, target);
        for (var face = 1; face < 1 << scales.length; face++) {
            var candidate = solveFace(face, target);
            var residual = squaredResidual(candidate, target);
            if (residual < bestResidual && Arrays.stream(candidate).allMatch(value -> value >= 0)) {
                best = candidate;
                bestResidual = residual;
            }
        }
        for (var column = 0; column < best.length; column++) {
            best[column] /= scales[column];
        }
        return best;
    }

    private int[] allColumns() {
        return columnsOf((1 << scales.length) - 1);
    }

    private int[] columnsOf(int face) {
        var columns = new int[Integer.bitCount(face)];
        var next = 0;
        for (var column = 0; column < scales.length; column++) {
            if ((face & 1 << column) != 0) {
                columns[next++] = column;
            }
        }
        return columns;
    }

    /// Plain least squares of the columns in `face`; not a number where they are dependent.
    private double[] solveFace(int face, double[] target) {
        var columns = columnsOf(face);
        var solution = new double[scales.length];
        var gram = gramOf(columns);
        if (gram.isEmpty()) {
            Arrays.fill(solution, Double.NaN);
            return solution;
        }
        var right = new double[columns.length];
        for (var i = 0; i < scaledRows.length; i++) {
            for (var c = 0; c < columns.length; c++) {
                right[c] += scaledRows[i][columns[c]] * target[i];
            }
        }
        var solved = gram.get().getSolver().solve(new ArrayRealVector(right, false));
        for (var c = 0; c < columns.length; c++) {
            solution[columns[c]] = solved.getEntry(c);
        }
        return solution;
    }

    private Optional<CholeskyDecomposition> gramOf(int[] columns) {
        RealMatrix gram = new Array2DRowRealMatrix(columns.length, columns.length);
        for (var row : scaledRows) {
            for (var i = 0; i < columns.length; i++) {
                for (var j = 0; j < columns.length; j++) {
                    gram.addToEntry(i, j, row[columns[i]] * row[columns[j]]);
                }
            }
        }
        try {
            return Optional.of(new CholeskyDecomposition(gram, 1e-9, SINGULAR_PIVOT));
        } catch (MathIllegalArgumentException dependentColumns) {
            return Optional.empty();
        }
    }

    private double squaredResidual(double[] scaledSolution, double[] target) {
        var sum = 0.0;
        for (var i = 0; i < scaledRows.length; i++) {
            var residual = -target[i];
            for (var column = 0; column < scaledSolution.length; column++) {
                residual += scaledRows[i][column] * scaledSolution[column];
            }
            sum += residual * residual;
        }
        return sum;
    }
}
