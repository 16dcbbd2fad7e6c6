/// Experiments to be measured, as data: no provider, process or clock is known here.
///
/// Read in this order: [Scenario] (an experiment of the FioranoMQ paper, loaded from the JSON files
/// beside this package by [Scenarios]), [Axes] (products of values), [Point] (one combination: who
/// sends what and who filters on what), [Figure] (how the points are drawn, and what the paper
/// has), [LoadSettings] (how long, how often).
///
/// Immutable throughout.
@NullMarked
package winnow.loadgen.workload;

import org.jspecify.annotations.NullMarked;
