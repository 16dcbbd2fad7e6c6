/// Settings of a connection factory: [ConnectionUrl] and [ConnectionOptions], and the
/// [InterruptionListener] that is told when the broker is away.
@NullMarked
package winnow.client.option;

import org.jspecify.annotations.NullMarked;
