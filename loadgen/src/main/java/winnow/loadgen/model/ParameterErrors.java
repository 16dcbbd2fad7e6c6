package winnow.loadgen.model;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.linear.RealMatrix;

/// Standard errors of the fitted parameters. Immutable.
///
/// @param covariance of t_rcv, t_fltr and t_tx in seconds squared
/// @param degreesOfFreedom of each parameter's standard error
/// @param pointError standard deviation of log B of a point around the model
/// @param pointFreedom degrees of freedom of pointError
record ParameterErrors(
        RealMatrix covariance,
        List<Double> degreesOfFreedom,
        double pointError,
        double pointFreedom) {

    /// Half the width of the 95 % interval of a parameter in seconds.
    double halfWidth(int parameter) {
        return Prediction.quantile(degreesOfFreedom.get(parameter))
                * Math.sqrt(covariance.getEntry(parameter, parameter));
    }

    Prediction predict(ServiceTimes times, double installedFilters, double replicationGrade) {
        var seconds = times.serviceSeconds(installedFilters, replicationGrade);
        var slope = new double[] {1, installedFilters, replicationGrade};
        var carried = covariance.operate(slope);
        var ofModel =
                IntStream.range(0, slope.length).mapToDouble(i -> slope[i] * carried[i]).sum()
                        / (seconds * seconds);
        var ofPoint = pointError * pointError;
        return new Prediction(
                seconds,
                Math.sqrt(ofModel + ofPoint),
                satterthwaite(ofModel, Collections.min(degreesOfFreedom), ofPoint, pointFreedom));
    }

    /// Degrees of freedom of the sum of two variances.
    private static double satterthwaite(double one, double ofOne, double other, double ofOther) {
        var sum = one + other;
        return sum == 0 ? ofOther : sum * sum / (one * one / ofOne + other * other / ofOther);
    }
}
