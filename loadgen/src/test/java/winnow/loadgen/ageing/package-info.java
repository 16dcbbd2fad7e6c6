/// Tests of rounds and their drift.
@NullMarked
package winnow.loadgen.ageing;

import org.jspecify.annotations.NullMarked;
