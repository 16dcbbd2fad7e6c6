/// How the values of a message lead to terms. [Probes] has one [SlotProbe] per slot that some term
/// looks at, and this has one table for each way to find terms: [Constants] by number, numbers by
/// hash, ranges by [Intervals] and [Cells]. [OtherTerms] has [Prefixes] for beginnings of strings,
/// [Substrings] for texts in them, [Suffixes] for numbers at their end, and terms to test each.
///
/// ```
/// SlotValues -> Probes -> SlotProbe -> table -> TermVisitor.hit        the term is true
///                                            -> TermVisitor.candidate  it has to be tested
/// ```
///
/// A message is looked up only in slots in which a value may lead to nodes.
///
/// Reading order: [Probes], [SlotProbe], then any table; [SlotTally] counts what sampled messages
/// have in a slot.
///
/// Threads: one writer, many readers without locks.
@NullMarked
package winnow.selector.index.lookup;

import org.jspecify.annotations.NullMarked;
