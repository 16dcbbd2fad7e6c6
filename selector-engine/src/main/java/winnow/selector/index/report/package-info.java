/// Tells people how the index finds and tests a selector and what it saw of it: [Reporter] makes a
/// [winnow.selector.index.api.SelectorReport], [Plan] says how an empty index would find it, and
/// [FormulaText] writes formulas as selectors again.
///
/// Threads: writer only.
@NullMarked
package winnow.selector.index.report;

import org.jspecify.annotations.NullMarked;
