/// The rules of the specification that a grammar cannot express, applied while the tree is built,
/// so that every error still knows its place in the text. [TypeRules] says which expressions may
/// stand where; [NameRules] which names a selector may use; [LikeRules] what a LIKE pattern is. No
/// state, any thread.
@NullMarked
package winnow.selector.check;

import org.jspecify.annotations.NullMarked;
