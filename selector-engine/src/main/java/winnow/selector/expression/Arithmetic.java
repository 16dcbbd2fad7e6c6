package winnow.selector.expression;

import java.util.ArrayList;
import java.util.List;

/// A chain of operators of one precedence, evaluated from left to right: `first op a op b ..`. `(a
/// + b) - c -> a + b - c`: a chain does not start with a chain of its own precedence. NULL if an
///   operand is not a number or an exact division is by zero.
public record Arithmetic(Operand first, List<Step> steps) implements Operand {

    /// One operator and its right side.
    public record Step(ArithmeticOperator operator, Operand operand) {}

    public Arithmetic {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("arithmetic needs an operator");
        }
        boolean multiplicative = steps.getFirst().operator().isMultiplicative();
        for (Step step : steps) {
            if (step.operator().isMultiplicative() != multiplicative) {
                throw new IllegalArgumentException("one chain has operators of one precedence");
            }
        }
        if (first instanceof Arithmetic(Operand innerFirst, List<Step> innerSteps)
                && innerSteps.getFirst().operator().isMultiplicative() == multiplicative) {
            List<Step> all = new ArrayList<>(innerSteps);
            all.addAll(steps);
            first = innerFirst;
            steps = all;
        }
        steps = List.copyOf(steps);
    }

    public boolean isMultiplicative() {
        return steps.getFirst().operator().isMultiplicative();
    }
}
