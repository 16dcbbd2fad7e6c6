/// Placeholder until the map of this package is written.
@NullMarked
package winnow.client;

import org.jspecify.annotations.NullMarked;
