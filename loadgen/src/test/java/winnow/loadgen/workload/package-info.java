/// Tests of scenarios and points.
@NullMarked
package winnow.loadgen.workload;

import org.jspecify.annotations.NullMarked;
