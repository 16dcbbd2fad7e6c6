package winnow.selector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import winnow.selector.explain.Evaluation;
import winnow.selector.explain.MessageValues;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Truth;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// Asks every evaluator there is about one selector and one message, and insists that they agree.
final class Verdicts {

    private Verdicts() {}

    static Truth truthOf(String selector, Map<String, Object> message) {
        return truthOf(Selector.parse(selector), message);
    }

    static Truth truthOf(Selector selector, Map<String, Object> message) {
        Condition expression = selector.expression();
        Truth truth = new ReferenceInterpreter(message).evaluate(expression);
        assertThat(Evaluation.of(expression, message).truth())
                .as("compiled against reference: %s with %s", selector, message)
                .isEqualTo(truth);
        Slots slots = new Slots();
        Matcher matcher = selector.bind(slots);
        SlotValues values = new SlotValues();
        MessageValues.set(values, slots, message);
        assertThat(matcher.matches(values))
                .as("matcher against reference: %s with %s", selector, message)
                .isEqualTo(truth == Truth.TRUE);
        return truth;
    }
}
