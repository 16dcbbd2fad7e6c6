/// Tests of what is told to people about selectors.
@NullMarked
package winnow.selector.explain;

import org.jspecify.annotations.NullMarked;
