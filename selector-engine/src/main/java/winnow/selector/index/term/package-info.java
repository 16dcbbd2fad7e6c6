/// What selectors ask. A selector is a [Formula] over [Term]s. A [SharedTerm] exists once per
/// index, however many selectors have it, and selectors can be found by it; a [RangeTerm] is one
/// selector's own. [AccessKeys] are the terms of a formula that lead to it, and a [CompactFormula]
/// is what is kept of it.
///
/// This package and [winnow.selector.index.lookup] know each other: a term enters itself into the
/// table by which values find it, and the table gives it to the match. Terms tell the match what is
/// true by a [TermVisitor], and write their tests down for nodes by a [TestWriter]. So they know
/// neither nodes nor matching, but for the cluster that hangs on a term, into which it does not
/// look.
///
/// Reading order: [Formula], [Term], [SharedTerm], [ConstantTerm], [KnownTerm], [RangeTerm],
/// [NumberTerm], [PredicateTerm] and the other kinds, [AccessKeys], [CompactFormula], [PackedAnd];
/// then [Terms], which makes them, and [FormulaBuilder]; [TermVisitor], [TestWriter], and
/// [AskedTerms], which finds terms that a row of tests names.
///
/// Threads: the writer makes and forgets terms; any thread tests them.
@NullMarked
package winnow.selector.index.term;

import org.jspecify.annotations.NullMarked;
