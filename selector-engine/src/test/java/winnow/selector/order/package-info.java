/// Tests of the order of operands.
@NullMarked
package winnow.selector.order;

import org.jspecify.annotations.NullMarked;
