package winnow.selector.expression;

/// A condition that contains no other condition. It is a total function of the message into
/// [Truth]: it never fails, whatever the types in the message are. This is what makes the operands
/// of [And] and [Or] free to be evaluated in any order.
public sealed interface Atom extends Condition
        permits Comparison, Between, In, Like, IsNull, SuffixRange, Identifier, BooleanLiteral {}
