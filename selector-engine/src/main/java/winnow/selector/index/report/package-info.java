/// Tells people how the index finds and tests a selector and what it saw of it: [Reporter] makes a
/// [winnow.selector.index.SelectorReport], and [FormulaText] writes formulas as selectors again.
///
/// Threads: writer only.
@NullMarked
package winnow.selector.index.report;

import org.jspecify.annotations.NullMarked;
