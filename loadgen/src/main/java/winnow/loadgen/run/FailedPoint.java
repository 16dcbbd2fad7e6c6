package winnow.loadgen.run;

import winnow.loadgen.workload.Point;

/// A point that gave no figures. Immutable.
///
/// @param position when it was tried: 1 for the first point of the run
/// @param repetition 1 for the first
/// @param point what was to be measured
/// @param reason why there are no figures, for people
public record FailedPoint(int position, int repetition, Point point, String reason)
        implements PointResult {

    public FailedPoint {
        ResultLine.require(point, "point");
        ResultLine.require(reason, "reason");
    }
}
