/// Tests of the waiting times against figures of other programs and simulations, and of the
/// planner.
@NullMarked
package winnow.loadgen.forecast;

import org.jspecify.annotations.NullMarked;
