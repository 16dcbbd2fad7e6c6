/// The service-time model of the FioranoMQ paper, section 4.9, and its fit to measurements.
///
/// Read in this order: [ServiceTimes] (equation 1), [Observation] (one measured point),
/// [ServiceTimeFitter] (non-negative least squares of log B), [Linearization] (one step of it),
/// [ResidualAnalysis] (standard errors, lack of fit), [ServiceTimeFit] and [FitQuality] (what came
/// out), [Prediction] (B of another load), [PaperTable] (what the paper found).
///
/// Everything here is immutable or used by one thread. All times are seconds.
@NullMarked
package winnow.loadgen.model;

import org.jspecify.annotations.NullMarked;
