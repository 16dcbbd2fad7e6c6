package winnow.selector.check;

import java.util.List;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Like;
import winnow.selector.expression.LikePattern;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;
import winnow.selector.expression.SuffixRange;

/// Bounds the time that one evaluation of a selector takes, whatever the message: counts how often
/// the atoms of a text go through a string of a message, and refuses the atom that makes it too
/// often for the longest string there is.
///
/// Not counted is what ends where the selector's own text ends, such as prefixes, and looking up
/// constants, which happens once per string and message.
public final class ScanBudget {

    /// The cost of one pass byte by byte: 1 to 3 ns per byte of the string, for a part with `_` per
    /// byte and 64 elements of the part.
    private static final int PASS = 16;

    /// The cost of the comparison of two strings, which compares many bytes at once.
    private static final int COMPARISON = 1;

    private final SelectorLimits limits;
    private long cost;

    public ScanBudget(SelectorLimits limits) {
        this.limits = limits;
    }

    /// A LIKE.
    public void like(LikePattern pattern, Position position) {
        charge((long) PASS * passes(pattern), position);
    }

    /// An atom that goes through a string once.
    public void pass(Position position) {
        charge(PASS, position);
    }

    /// The comparison of two properties.
    public void comparison(Position position) {
        charge(COMPARISON, position);
    }

    /// Most times that an evaluation goes through a string, as it is counted here. Any thread.
    public static long passes(Condition condition) {
        return (cost(condition) + PASS - 1) / PASS;
    }

    private static long cost(Condition condition) {
        return switch (condition) {
            case And(var operands) -> cost(operands);
            case Or(var operands) -> cost(operands);
            case Not(var operand) -> cost(operand);
            case Like(var _, var pattern) -> (long) PASS * passes(pattern);
            case SuffixRange range -> range.isLimitless() ? PASS : 0;
            case Comparison(Identifier _, var _, Identifier _) -> COMPARISON;
            case Atom _ -> 0;
        };
    }

    private static long cost(List<Condition> operands) {
        long cost = 0;
        for (Condition operand : operands) {
            cost += cost(operand);
        }
        return cost;
    }

    private void charge(long more, Position position) {
        cost += more;
        if (cost * limits.maxStringBytes() > (long) PASS * limits.maxScannedBytes()) {
            throw position.error(
                    ("patterns and ranges that go through the strings of a message at most %d"
                                    + " times, a pattern with a wildcard for one character once"
                                    + " for each 64 characters (limit maxScannedBytes)")
                            .formatted(limits.maxScannedBytes() / limits.maxStringBytes()),
                    "more");
        }
    }

    /// Parts between two `%` are searched one behind the other, so the dearest counts: one that is
    /// plain once, one with `_` once for each 64 of its bytes.
    private static int passes(LikePattern pattern) {
        String text = pattern.text();
        int most = 0;
        int bytes = 0;
        boolean wild = false;
        boolean afterRun = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                if (afterRun && bytes > 0) {
                    int words = (bytes + Long.SIZE - 1) / Long.SIZE;
                    most = Math.max(most, wild ? words : 1);
                }
                bytes = 0;
                wild = false;
                afterRun = true;
            } else {
                wild |= c == '_';
                i += c == LikePattern.ESCAPE ? 1 : 0;
                bytes += utf8Bytes(text.charAt(i));
            }
        }
        return most;
    }

    /// Of one UTF-16 unit; a pair of surrogates takes four.
    private static int utf8Bytes(char unit) {
        if (unit < 0x80) {
            return 1;
        }
        return unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
    }
}
