/// Tests of publishers and subscribers within this process, with the fake provider.
@NullMarked
package winnow.loadgen.worker;

import org.jspecify.annotations.NullMarked;
