/// Tests of terms and formulas.
@NullMarked
package winnow.selector.index.term;

import org.jspecify.annotations.NullMarked;
