/// Placeholder until the map of this package is written.
@NullMarked
package winnow.loadgen;

import org.jspecify.annotations.NullMarked;
