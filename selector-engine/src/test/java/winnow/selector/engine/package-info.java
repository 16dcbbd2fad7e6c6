/// Tests of the selector language as a whole.
@NullMarked
package winnow.selector.engine;

import org.jspecify.annotations.NullMarked;
