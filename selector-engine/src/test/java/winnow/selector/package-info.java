/// Tests of what programs without a broker use.
@NullMarked
package winnow.selector;

import org.jspecify.annotations.NullMarked;
