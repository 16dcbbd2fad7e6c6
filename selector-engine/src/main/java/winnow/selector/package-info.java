/// Placeholder until the map of this package is written.
@NullMarked
package winnow.selector;

import org.jspecify.annotations.NullMarked;
