/// Tests of what the index learns.
@NullMarked
package winnow.selector.index.learn;

import org.jspecify.annotations.NullMarked;
