/// Tests of the errors' words and suggestions.
@NullMarked
package winnow.selector.diagnose;

import org.jspecify.annotations.NullMarked;
