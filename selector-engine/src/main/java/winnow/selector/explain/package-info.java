/// Explains why a selector is TRUE, FALSE or UNKNOWN for a message, and what to know about it
/// without one. For people, not for the broker's path: it allocates freely and answers in text.
///
/// [Evaluation] is about a selector and a message; [Explanation] about a selector alone, with
/// [TruthFormula] for its compiled form, [Warnings] (by where its atoms stand, [AtomUse]) for what
/// may surprise and [Advice] on its cost. Any thread.
@NullMarked
package winnow.selector.explain;

import org.jspecify.annotations.NullMarked;
