package winnow.loadgen.model;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.linear.RealMatrix;

/// Standard errors of the fitted parameters. Immutable.
///
/// @param covariance of t_rcv, t_fltr and t_tx in seconds squared
/// @param degreesOfFreedom of each parameter's standard error
/// @param pointError standard deviation of log B of a point of weight 1 around the model
/// @param pointFreedom degrees of freedom of pointError
/// @param readings of the points with most of them, which make a weight of 1
/// @param meanWeight of the fitted points
record ParameterErrors(
        RealMatrix covariance,
        List<Double> degreesOfFreedom,
        double pointError,
        double pointFreedom,
        int readings,
        double meanWeight) {

    /// Half the width of the 95 % interval of a parameter in seconds; infinite if the variance is
    /// none.
    double halfWidth(int parameter) {
        var variance = covariance.getEntry(parameter, parameter);
        return variance >= 0 && Double.isFinite(variance)
                ? Prediction.quantile(degreesOfFreedom.get(parameter)) * Math.sqrt(variance)
                : Double.POSITIVE_INFINITY;
    }

    /// B of a point like the fitted ones on average.
    Prediction predict(ServiceTimes times, double installedFilters, double replicationGrade) {
        return predict(times, installedFilters, replicationGrade, meanWeight);
    }

    /// B of a point that was measured.
    Prediction predict(ServiceTimes times, Observation point) {
        return predict(
                times,
                point.installedFilters(),
                point.replicationGrade(),
                Math.min(1, point.totalWeight() / readings));
    }

    private Prediction predict(
            ServiceTimes times, double installedFilters, double replicationGrade, double weight) {
        var seconds = times.serviceSeconds(installedFilters, replicationGrade);
        var slope = new double[] {1, installedFilters, replicationGrade};
        var carried = covariance.operate(slope);
        var ofModel =
                IntStream.range(0, slope.length).mapToDouble(i -> slope[i] * carried[i]).sum()
                        / (seconds * seconds);
        var ofPoint = pointError * pointError / weight;
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
