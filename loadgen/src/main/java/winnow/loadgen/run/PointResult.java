package winnow.loadgen.run;

/// Result of one point.
sealed interface PointResult extends ResultLine permits Measurement, FailedPoint {}
