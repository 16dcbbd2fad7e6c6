/// Tests of workers on other machines, over loopback.
@NullMarked
package winnow.loadgen.remote;

import org.jspecify.annotations.NullMarked;
