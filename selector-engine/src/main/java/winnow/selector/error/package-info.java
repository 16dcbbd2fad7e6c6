/// The exception for an invalid text, [InvalidSelectorSyntaxException], with an [Excerpt] of the
/// place. The bottom of the module: every other package may use it. Any thread.
@NullMarked
package winnow.selector.error;

import org.jspecify.annotations.NullMarked;
