package winnow.selector.compile;

import java.util.List;
import java.util.function.Consumer;
import winnow.selector.slot.ValueCode;

/// The structure of a predicate without its slots and constants. Predicates of one signature differ
/// only in their [ShapeConstants] and can share a class. Immutable.
sealed interface Shape {

    /// Adds what is equal for shapes that differ only in constants.
    void sign(StringBuilder signature);

    /// Text that is equal for shapes that can share a class.
    default String signature() {
        StringBuilder text = new StringBuilder();
        sign(text);
        return text.toString();
    }

    /// Calls the consumer for the shape and all in it, in the order in which they are written.
    default void forEach(Consumer<Shape> consumer) {
        consumer.accept(this);
    }

    /// Adds the constants of this shape itself, without those in it.
    void addTo(ShapeConstants constants);

    record All(List<Shape> operands) implements Shape {

        @Override
        public void sign(StringBuilder signature) {
            signAll(signature, "&(", operands);
        }

        @Override
        public void forEach(Consumer<Shape> consumer) {
            consumer.accept(this);
            for (Shape operand : operands) {
                operand.forEach(consumer);
            }
        }

        @Override
        public void addTo(ShapeConstants constants) {}
    }

    record Any(List<Shape> operands) implements Shape {

        @Override
        public void sign(StringBuilder signature) {
            signAll(signature, "|(", operands);
        }

        @Override
        public void forEach(Consumer<Shape> consumer) {
            consumer.accept(this);
            for (Shape operand : operands) {
                operand.forEach(consumer);
            }
        }

        @Override
        public void addTo(ShapeConstants constants) {}
    }

    private static void signAll(StringBuilder signature, String open, List<Shape> operands) {
        signature.append(open);
        for (Shape operand : operands) {
            operand.sign(signature);
            signature.append(' ');
        }
        signature.append(')');
    }

    /// The slot has a value for which the other is not true.
    record PresentUnless(int slot, Shape whenTrue) implements Shape {

        @Override
        public void sign(StringBuilder signature) {
            signature.append('!');
            whenTrue.sign(signature);
        }

        @Override
        public void forEach(Consumer<Shape> consumer) {
            consumer.accept(this);
            whenTrue.forEach(consumer);
        }

        @Override
        public void addTo(ShapeConstants constants) {
            constants.add(slot);
        }
    }

    record StringIs(int slot, int constant) implements Shape {

        @Override
        public void sign(StringBuilder signature) {
            signature.append('s');
        }

        @Override
        public void addTo(ShapeConstants constants) {
            constants.add(slot);
            constants.add(ValueCode.ofConstant(constant));
        }
    }

    /// The slot has a value of the kind, or none if the kind is MISSING; or the opposite.
    record KindIs(int slot, byte kind, boolean wanted) implements Shape {

        @Override
        public void sign(StringBuilder signature) {
            signature.append(wanted ? 'k' : 'K').append(kind);
        }

        @Override
        public void addTo(ShapeConstants constants) {
            constants.add(slot);
        }
    }

    /// Anything else: called, but without having to find out which class it is.
    record Other(Predicate predicate) implements Shape {

        @Override
        public void sign(StringBuilder signature) {
            signature.append(predicate.getClass().getSimpleName());
        }

        @Override
        public void addTo(ShapeConstants constants) {
            constants.add(predicate);
        }
    }
}
