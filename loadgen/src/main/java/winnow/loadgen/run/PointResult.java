package winnow.loadgen.run;

/// What came out of one point.
sealed interface PointResult extends ResultLine permits Measurement, FailedPoint {}
