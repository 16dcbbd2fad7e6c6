package winnow.selector.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SamplesTest {

    private static final int MESSAGES = 64;

    private long clock;

    /// An atom that costs its effort and is true for the messages whose bit is set.
    private record Atom(String name, int effort, BitSet messages) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static final class Joined implements Junction<Object> {

        final boolean conjunction;
        List<Object> operands;

        Joined(boolean conjunction, Object... operands) {
            this.conjunction = conjunction;
            this.operands = List.of(operands);
        }

        @Override
        public boolean isConjunction() {
            return conjunction;
        }

        @Override
        public List<Object> operands() {
            return operands;
        }

        @Override
        public void reorder(List<Object> reordered) {
            operands = List.copyOf(reordered);
        }

        @Override
        public String toString() {
            return operands.toString();
        }
    }

    private final class CountingTest implements OperandTest<Object, Integer> {

        @Override
        public boolean test(Object operand, Integer message) {
            return switch (operand) {
                case Atom atom -> {
                    // The cost of reading the clock is taken off again.
                    clock += atom.effort + ClockCost.NANOS;
                    yield atom.messages.get(message);
                }
                case Joined joined -> {
                    for (Object each : joined.operands) {
                        if (test(each, message) != joined.conjunction) {
                            yield !joined.conjunction;
                        }
                    }
                    yield joined.conjunction;
                }
                default -> throw new IllegalArgumentException();
            };
        }

        @Override
        public int effort(Object operand) {
            return 5;
        }
    }

    /// True for the messages from, from + step, .. below to.
    private static Atom atom(String name, int effort, int from, int to, int step) {
        BitSet messages = new BitSet();
        for (int i = from; i < to; i += step) {
            messages.set(i);
        }
        return new Atom(name, effort, messages);
    }

    private Samples<Object, Integer> sampled(Joined formula) {
        CountingTest test = new CountingTest();
        Samples<Object, Integer> samples =
                Objects.requireNonNull(Samples.of(formula, test, () -> clock));
        for (int i = 0; i < MESSAGES; i++) {
            boolean expected = test.test(formula, i);
            assertThat(samples.test(i)).isEqualTo(expected);
        }
        samples.reorder();
        return samples;
    }

    @Test
    void shouldTestFirstWhatDecidesMost() {
        // given
        Joined all =
                new Joined(
                        true,
                        atom("mostly", 5, 0, 60, 1),
                        atom("half", 5, 0, 64, 2),
                        atom("rarely", 5, 0, 4, 1));

        // when
        sampled(all);

        // then
        assertThat(all).hasToString("[rarely, half, mostly]");
    }

    @Test
    void shouldOrderOrTheOtherWayRound() {
        // given
        Joined any =
                new Joined(
                        false,
                        atom("rarely", 5, 0, 4, 1),
                        atom("mostly", 5, 0, 60, 1),
                        atom("half", 5, 0, 64, 2));

        // when
        sampled(any);

        // then
        assertThat(any).hasToString("[mostly, half, rarely]");
    }

    @Test
    void shouldSeeThatAnOperandDecidesNothingMoreAfterAnother() {
        // given
        Atom third = atom("third", 50, 0, 24, 1);
        Atom nearlySame = atom("nearly the same", 50, 0, 25, 1);
        Atom independent = atom("independent", 50, 0, 64, 2);

        // when
        Joined all = new Joined(true, third, nearlySame, independent);
        sampled(all);

        // then
        assertThat(all).hasToString("[third, independent, nearly the same]");
    }

    @Test
    void shouldWeighWhatIsDecidedAgainstItsTime() {
        // given
        Joined all = new Joined(true, atom("dear", 200, 0, 8, 1), atom("cheap", 2, 0, 64, 2));

        // when
        Samples<Object, Integer> samples = sampled(all);

        // then
        assertThat(all).hasToString("[cheap, dear]");
        assertThat(samples.operands()).extracting(Samples.Operand::nanos).containsExactly(2d, 200d);
        assertThat(samples.operands())
                .extracting(Samples.Operand::passRate)
                .containsExactly(0.5, 0.125);
        assertThat(samples.nanos()).isCloseTo(5 + 0.5 * 203, within(0.1));
    }

    @Test
    void shouldOrderNestedOperandsForTheMessagesThatGetToThem() {
        // given
        Joined inner =
                new Joined(false, atom("never then", 5, 8, 64, 1), atom("always then", 5, 0, 8, 1));
        Joined all = new Joined(true, atom("first", 5, 0, 8, 1), inner);

        // when
        sampled(all);

        // then
        assertThat(all).hasToString("[first, [always then, never then]]");
    }

    @Test
    void shouldKeepAnOrderThatIsAboutAsGood() {
        // given
        Joined all = new Joined(true, atom("a", 5, 0, 33, 1), atom("b", 5, 32, 64, 1));

        // when
        sampled(all);

        // then
        assertThat(all).hasToString("[a, b]");
    }

    @Test
    void shouldKeepAnOrderThatIsCheaperByLessThanABranch() {
        // given
        Joined all = new Joined(true, atom("a", 2, 0, 48, 1), atom("b", 2, 0, 8, 1));

        // when
        sampled(all);

        // then
        assertThat(all).hasToString("[a, b]");
    }

    @Test
    void shouldNotSampleWhatIsTooLargeOrNoJunction() {
        // given
        List<Object> many = new ArrayList<>();
        for (int i = 0; i <= Samples.MAX_OPERANDS; i++) {
            many.add(atom("a" + i, 5, 0, i, 1));
        }

        // then
        assertThat(Samples.of(new Joined(true, many.toArray()), new CountingTest())).isNull();
        assertThat(Samples.of(many.getFirst(), new CountingTest())).isNull();
        assertThat(Samples.of(new Joined(true), new CountingTest())).isNull();
    }

    @Test
    void shouldSampleLargerFormulasLessOften() {
        // given
        Random random = new Random(1);
        List<Object> many = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            many.add(atom("a" + i, 5, 0, random.nextInt(64), 1));
        }

        // when
        Samples<Object, Integer> samples = sampled(new Joined(false, many.toArray()));

        // then
        assertThat(samples.samples()).isEqualTo(MESSAGES / 4);
    }
}
