/// Placeholder until the map of this package is written.
@NullMarked
package winnow.broker;

import org.jspecify.annotations.NullMarked;
