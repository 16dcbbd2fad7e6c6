/// Placeholder until the map of this package is written.
@NullMarked
package winnow.wire;

import org.jspecify.annotations.NullMarked;
