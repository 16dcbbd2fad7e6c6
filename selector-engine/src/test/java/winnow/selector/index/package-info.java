/// Tests of the index over the selectors of a topic.
@NullMarked
package winnow.selector.index;

import org.jspecify.annotations.NullMarked;
