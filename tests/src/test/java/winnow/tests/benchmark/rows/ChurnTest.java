package winnow.tests.benchmark.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;

/// What checks answers while selectors come and go finds wrong ones, and no others.
class ChurnTest {
    private static final int SELECTORS = 1_024;
    private static final int STAYING = 512;
    private static final int CHANGES = 200;

    private final Workload workload = Workload.of(Row.FEW_VALUES, SELECTORS);
    private final List<int[]> reference = ChurnReader.reference(workload);
    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final ChurnPopulation population = new ChurnPopulation(index, workload, STAYING);

    private ChurnReader.Result read(List<int[]> expected) {
        ChurnReader reader = new ChurnReader(index, population, workload, expected);
        for (int i = 0; i < Row.MESSAGES; i++) {
            reader.matchNext();
        }
        return reader.result();
    }

    /// The first that is true for a message that is checked.
    private int trueSelector(boolean stays) {
        return reference.stream()
                .flatMapToInt(IntStream::of)
                .filter(selector -> stays == selector < STAYING)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldFindRightAnswersRight() {
        for (int i = 0; i < CHANGES; i++) {
            population.change(i);
        }

        ChurnReader.Result result = read(reference);

        assertThat(result.firstWrong()).isNull();
        assertThat(result.wrong()).isZero();
        assertThat(result.checked()).isEqualTo(reference.size());
        assertThat(result.messages()).isEqualTo(Row.MESSAGES);
    }

    @Test
    void shouldFindThatOneIsNotTold() {
        int other = trueSelector(true);
        List<int[]> more = new ArrayList<>(reference);
        int message =
                IntStream.range(0, more.size())
                        .filter(i -> lacks(i, other))
                        .findFirst()
                        .orElseThrow();
        more.set(
                message,
                IntStream.concat(IntStream.of(reference.get(message)), IntStream.of(other))
                        .toArray());

        assertThat(read(more).wrong()).isOne();
        assertThat(read(more).firstWrong()).endsWith("selector " + other + " was not told");
    }

    private boolean lacks(int message, int selector) {
        return IntStream.of(reference.get(message)).noneMatch(i -> i == selector);
    }

    @Test
    void shouldFindThatOneIsNotTrue() {
        int one = trueSelector(true);
        List<int[]> less =
                reference.stream()
                        .map(numbers -> IntStream.of(numbers).filter(i -> i != one).toArray())
                        .toList();

        assertThat(read(less).firstWrong()).endsWith("selector " + one + " is not true");
    }

    @Test
    void shouldFindThatOneIsToldTwice() {
        int one = trueSelector(true);
        index.add(selector(one), one);

        assertThat(read(reference).firstWrong()).endsWith("selector " + one + " was told 2 times");
    }

    @Test
    void shouldFindThatOneIsToldAndNotThere() {
        int one = trueSelector(false);
        boolean added = population.change(one - STAYING);
        if (added) {
            population.change(one - STAYING);
        }
        index.add(selector(one), one);

        assertThat(read(reference).firstWrong())
                .endsWith("selector " + one + " was told and is not there");
    }

    private Selector selector(int number) {
        return Selector.parse(workload.selectors().get(number).selector());
    }
}
