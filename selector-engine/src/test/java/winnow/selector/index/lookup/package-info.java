/// Tests of how values lead to terms.
@NullMarked
package winnow.selector.index.lookup;

import org.jspecify.annotations.NullMarked;
