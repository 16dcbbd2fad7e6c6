/// Tests of executable selectors.
@NullMarked
package winnow.selector.compile;

import org.jspecify.annotations.NullMarked;
