/// Tests of nodes, their clusters and their rows.
@NullMarked
package winnow.selector.index.node;

import org.jspecify.annotations.NullMarked;
