package winnow.loadgen.report;

import winnow.loadgen.model.Observation;
import winnow.loadgen.model.Prediction;

/// A point that the fit has not seen, and what the model said of it. Immutable.
record HeldOut(Observation measured, Prediction predicted) {

    /// |model / measured - 1|.
    double absoluteError() {
        return Math.abs(predicted.serviceSeconds() / measured.serviceSeconds() - 1);
    }

    /// True if the measured B lies in its 95 % prediction interval.
    boolean isCovered() {
        return predicted.interval().contains(measured.serviceSeconds());
    }
}
