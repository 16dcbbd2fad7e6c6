/// The time in which clients come back to a broker that was killed: [ReturnBenchmark] is the
/// program.
@NullMarked
package winnow.tests.returns;

import org.jspecify.annotations.NullMarked;
