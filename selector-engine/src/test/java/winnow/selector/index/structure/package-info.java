/// Tests of the data structures of the index.
@NullMarked
package winnow.selector.index.structure;

import org.jspecify.annotations.NullMarked;
