/// Tests of the canonical form.
@NullMarked
package winnow.selector.simplify;

import org.jspecify.annotations.NullMarked;
