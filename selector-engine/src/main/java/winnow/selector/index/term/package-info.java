/// Terms of selectors. A selector is a [Formula] over [Term]s. A [SharedTerm] exists once per
/// index, however many selectors have it, and selectors can be found by it; a [RangeTerm] is one
/// selector's own. [AccessKeys] are the terms of a formula that lead to it, and a [CompactFormula]
/// is what is kept of it.
///
/// A term enters itself into the table by which values find it, and the table gives it to the
/// match. [Probes] has one [SlotProbe] per slot that some term looks at, and this has one table for
/// each way to find terms: [TermsByConstant] by number, numbers by hash, ranges by [Intervals] and
/// [Cells]. [OtherTerms] has [Prefixes] for beginnings of strings, [Substrings] for texts in them,
/// [Suffixes] for numbers at their end, and terms to test each.
///
/// ```
/// SlotValues -> Probes -> SlotProbe -> table -> TermVisitor.hit        the term is true
///                                            -> TermVisitor.candidate  it has to be tested
/// ```
///
/// A message is looked up only in slots in which a value may lead to nodes. Terms tell the match
/// what is true by a [TermVisitor], and write their tests down for nodes by a [TestWriter]. So they
/// know neither nodes nor matching, but for the cluster that hangs on a term, into which it does
/// not look.
///
/// Reading order: [Formula], [Term], [SharedTerm], [ConstantTerm], [KnownTerm], [RangeTerm],
/// [NumberTerm], [PredicateTerm] and the other kinds, [AccessKeys], [CompactFormula], [PackedAnd];
/// then [Terms], which makes them, and [FormulaBuilder]; [TermVisitor], [TestWriter], and
/// [AskedTerms], which finds terms that a row of tests names; then [Probes], [SlotProbe] and any
/// table. [SlotTally] counts what sampled messages have in a slot.
///
/// Threads: one writer makes and forgets terms; any thread looks them up and tests them, without
/// locks.
@NullMarked
package winnow.selector.index.term;

import org.jspecify.annotations.NullMarked;
