/// Tests of comparisons.
@NullMarked
package winnow.loadgen.diff;

import org.jspecify.annotations.NullMarked;
