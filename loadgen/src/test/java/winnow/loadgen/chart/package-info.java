/// Tests of the drawings.
@NullMarked
package winnow.loadgen.chart;

import org.jspecify.annotations.NullMarked;
