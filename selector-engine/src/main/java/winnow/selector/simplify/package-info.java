/// Brings a condition into canonical form, so that selectors which say the same in other words
/// become equal, and are evaluated once.
///
/// ```
/// condition -> NegationNormalForm -> each RewriteRule per node, from the leaves up -> canonical
/// ```
///
/// One rewrite per file, with its equation. An equation either holds for all three values, or for
/// TRUE alone: "T only". Both are allowed, because after [NegationNormalForm] nothing is negated
/// but atoms, and then the whole is TRUE whenever its parts are TRUE as often as before. Read
/// [CanonicalForm], [NegationNormalForm], [RewriteRule]. No thread: everything is immutable.
@NullMarked
package winnow.selector.simplify;

import org.jspecify.annotations.NullMarked;
