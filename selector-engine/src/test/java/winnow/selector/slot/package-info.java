/// Tests of the values of messages.
@NullMarked
package winnow.selector.slot;

import org.jspecify.annotations.NullMarked;
