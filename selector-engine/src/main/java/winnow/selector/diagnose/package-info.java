/// Mistakes in a text that is no selector, and the selector that was meant.
///
/// ```
/// text -> Pieces (a lenient scanner) -> Rules -> Mistakes with Edits -> corrected text
///           ^                                                             |
///           +-------------- until the corrected text parses --------------+
/// ```
///
/// [Diagnosis] is the entrance. Each rule knows constructs that are in no selector, so that a rule
/// never finds anything in a valid one. Runs only after the parser has refused a text. No state,
/// any thread.
@NullMarked
package winnow.selector.diagnose;

import org.jspecify.annotations.NullMarked;
