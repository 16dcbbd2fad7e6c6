/// Text to checked expression. The only package that knows ANTLR.
///
/// ```
/// text -> MessageSelectorLexer -> NestingGuard (limits) -> MessageSelectorParser
///      -> ExpressionBuilder (with winnow.selector.check) -> expression
/// ```
///
/// Entrances: [SelectorSyntax] for selectors, [CorrelationIdFilterSyntax] for correlation-ID
/// filters. No state of its own; any thread.
@NullMarked
package winnow.selector.parse;

import org.jspecify.annotations.NullMarked;
