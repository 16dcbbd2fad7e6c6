/// Tests of what only the parser's own package can see.
@NullMarked
package winnow.selector.parse;

import org.jspecify.annotations.NullMarked;
