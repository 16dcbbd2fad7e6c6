/// Tests of receivers that acknowledge.
@NullMarked
package winnow.loadgen.peer;

import org.jspecify.annotations.NullMarked;
