/// A Jakarta Messaging provider within one process, as much of it as the load generator uses. It
/// can be told to misbehave, which is how the checks of the load generator are checked.
@NullMarked
package winnow.loadgen.fake;

import org.jspecify.annotations.NullMarked;
