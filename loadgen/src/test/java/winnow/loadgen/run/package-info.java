/// Tests of the coordinator, with real worker processes and the fake provider.
@NullMarked
package winnow.loadgen.run;

import org.jspecify.annotations.NullMarked;
