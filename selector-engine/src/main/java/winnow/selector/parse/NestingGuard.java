package winnow.selector.parse;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.Token;
import winnow.selector.check.Position;
import winnow.selector.check.SelectorLimits;

/// Measures a selector by its tokens, without recursion, before the recursive parser sees it: what
/// passes cannot exhaust the stack.
final class NestingGuard {

    private final SelectorLimits limits;

    /// For each open parenthesis, the prefix operators that wait for it.
    private final Deque<Integer> waiting = new ArrayDeque<>();

    private int depth;
    private int prefixOperators;
    private int operands;
    private int inValues;
    private boolean inList;

    NestingGuard(SelectorLimits limits) {
        this.limits = limits;
    }

    void check(List<Token> tokens) {
        int previous = Token.INVALID_TYPE;
        for (Token token : tokens) {
            int type = token.getType();
            switch (type) {
                case MessageSelectorLexer.OPEN -> open(token, previous);
                case MessageSelectorLexer.CLOSE -> close();
                case MessageSelectorLexer.NOT -> prefixOperator(token);
                case MessageSelectorLexer.PLUS, MessageSelectorLexer.MINUS -> {
                    boolean binary = isOperand(previous) || previous == MessageSelectorLexer.CLOSE;
                    if (!binary) {
                        prefixOperator(token);
                    }
                }
                default -> {
                    if (isOperand(type)) {
                        operand(token);
                    }
                }
            }
            previous = type;
        }
    }

    private static boolean isOperand(int tokenType) {
        return switch (tokenType) {
            case MessageSelectorLexer.IDENTIFIER,
                    MessageSelectorLexer.INTEGER,
                    MessageSelectorLexer.DECIMAL,
                    MessageSelectorLexer.STRING,
                    MessageSelectorLexer.TRUE,
                    MessageSelectorLexer.FALSE ->
                    true;
            default -> false;
        };
    }

    private void open(Token token, int previous) {
        inList = previous == MessageSelectorLexer.IN;
        inValues = 0;
        waiting.push(prefixOperators);
        prefixOperators = 0;
        deeper(token);
    }

    private void close() {
        inList = false;
        depth -= prefixOperators;
        prefixOperators = 0;
        if (!waiting.isEmpty()) {
            depth -= 1 + waiting.pop();
        }
    }

    private void prefixOperator(Token token) {
        prefixOperators++;
        deeper(token);
    }

    private void operand(Token token) {
        depth -= prefixOperators;
        prefixOperators = 0;
        if (inList) {
            inValues++;
            require(
                    inValues <= limits.maxInValues(),
                    token,
                    "values of IN",
                    limits.maxInValues(),
                    "maxInValues");
        } else {
            operands++;
            require(
                    operands <= limits.maxOperands(),
                    token,
                    "identifiers and literals",
                    limits.maxOperands(),
                    "maxOperands");
        }
    }

    private void deeper(Token token) {
        depth++;
        require(
                depth <= limits.maxDepth(),
                token,
                "levels of parentheses, NOT and signs",
                limits.maxDepth(),
                "maxDepth");
    }

    private static void require(
            boolean within, Token token, String what, int limit, String limitName) {
        if (!within) {
            throw new Position("selector", token.getLine(), token.getCharPositionInLine() + 1)
                    .error("at most %d %s (limit %s)".formatted(limit, what, limitName), "more");
        }
    }
}
