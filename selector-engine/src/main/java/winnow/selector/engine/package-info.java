/// One selector from text to answer: [Selector] parses and checks it, and binds it to the slots of
/// a topic; the [Matcher] that this makes evaluates it. A [Selector] is immutable; any number of
/// threads may use a [Matcher]. For many selectors at once there is `winnow.selector.index`.
@NullMarked
package winnow.selector.engine;

import org.jspecify.annotations.NullMarked;
