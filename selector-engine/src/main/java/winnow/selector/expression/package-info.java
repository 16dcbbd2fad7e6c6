/// The typed tree of a checked selector. Every node is an immutable record in a sealed family.
///
/// ```
/// Expression = Condition | Operand
/// Condition  = And | Or | Not | Atom           has a Truth for every message
/// Atom       = Comparison | Between | In | Like | IsNull | SuffixRange | Identifier | true, false
/// Operand    = Identifier | Literal | Arithmetic | Signed      has a value for every message
/// ```
///
/// Read [Expression], [Condition], [Atom], then [ExpressionPrinter]. No thread: immutable.
@NullMarked
package winnow.selector.expression;

import org.jspecify.annotations.NullMarked;
