/// Tests of the selector language as a whole.
@NullMarked
package winnow.selector;

import org.jspecify.annotations.NullMarked;
