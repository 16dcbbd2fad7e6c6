/// Watches whether a broker gets slower with time (FioranoMQ paper, section 4.10).
///
/// An [AgeingRound] is what one look at the broker gave, [RoundFile] keeps them, [Drift] is what
/// follows for one figure, [AgeingResult] for all of them, [AgeingPage] draws them.
@NullMarked
package winnow.loadgen.ageing;

import org.jspecify.annotations.NullMarked;
