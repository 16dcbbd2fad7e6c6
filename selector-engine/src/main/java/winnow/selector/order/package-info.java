/// In which order the operands of AND and OR are tested, from what some of the tests showed. The
/// order never changes a result, because every operand is a total function of the message.
///
/// A [Junction] is an AND or OR; [Samples] are what sampled tests of one showed, and of those in
/// it; [OperandTest] tells how to test an operand. The linear and the indexed form of a selector
/// share this.
///
/// Threads: any number test and record, without locks; what they record may be torn, which makes an
/// estimate a little worse and nothing else. One thread, the owner of the selector, changes the
/// order.
@NullMarked
package winnow.selector.order;

import org.jspecify.annotations.NullMarked;
