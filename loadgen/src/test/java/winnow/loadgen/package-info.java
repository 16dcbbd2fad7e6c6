/// Tests of the commands.
@NullMarked
package winnow.loadgen;

import org.jspecify.annotations.NullMarked;
