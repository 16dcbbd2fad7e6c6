/// Tests of round trips without a broker; those with one are in the module of tests.
@NullMarked
package winnow.loadgen.roundtrip;

import org.jspecify.annotations.NullMarked;
