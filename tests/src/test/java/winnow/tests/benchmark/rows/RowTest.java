package winnow.tests.benchmark.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.selector.engine.Matcher;
import winnow.selector.engine.Selector;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

class RowTest {
    private static final int SELECTORS = 200;
    private static final int COMPARED = 512;

    @ParameterizedTest
    @EnumSource
    void shouldAnswerAsSelectorsDo(Row row) {
        Workload workload = Workload.of(row, SELECTORS);
        Slots slots = new Slots(1);
        List<Matcher> matchers =
                workload.texts().stream().map(text -> Selector.parse(text).bind(slots)).toList();
        SlottedMessages messages = new SlottedMessages(workload.messages(), slots);
        StaticStructure structure = StaticStructure.of(workload);
        Evaluator fixed = Evaluator.fixed(workload, structure);
        Evaluator fromValues = new StaticFromValues(workload, structure);
        SlotValues values = new SlotValues();

        for (int message = 0; message < COMPARED; message++) {
            messages.read(message, values);
            int number = message;
            int[] expected =
                    IntStream.range(0, SELECTORS)
                            .filter(i -> matchers.get(i).matches(values))
                            .toArray();
            assertThat(fixed.answer(number)).isEqualTo(expected);
            assertThat(fromValues.answer(number)).isEqualTo(expected);
            assertThat(IntStream.range(0, SELECTORS).filter(i -> isTrue(workload, i, number)))
                    .containsExactly(IntStream.of(expected).boxed().toArray(Integer[]::new));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerWithThoseThatAreThere(Row row) {
        Workload workload = Workload.of(row, SELECTORS);
        StaticStructure structure = StaticStructure.of(workload);
        Evaluator fixed = Evaluator.fixed(workload, structure);
        List<int[]> all = IntStream.range(0, COMPARED).mapToObj(fixed::answer).toList();

        IntStream.range(0, SELECTORS / 2).forEach(structure::remove);
        for (int message = 0; message < COMPARED; message++) {
            assertThat(fixed.answer(message))
                    .isEqualTo(
                            IntStream.of(all.get(message))
                                    .filter(selector -> selector >= SELECTORS / 2)
                                    .toArray());
        }

        IntStream.range(0, SELECTORS / 2).forEach(structure::add);
        for (int message = 0; message < COMPARED; message++) {
            assertThat(fixed.answer(message)).isEqualTo(all.get(message));
        }
    }

    private static boolean isTrue(Workload workload, int selector, int message) {
        return workload.selectors().get(selector).test(workload.messages().get(message));
    }

    @ParameterizedTest
    @EnumSource(names = {"MIXED", "RANGES", "ALTERNATIVES"})
    void shouldGiveSomeAttributesValuesOfSeveralTypes(Row row) {
        Map<String, Set<Class<?>>> types = new HashMap<>();
        for (Message message : Workload.of(row, SELECTORS).messages()) {
            message.properties()
                    .forEach((name, value) ->
                            types.computeIfAbsent(name, _ -> new HashSet<>())
                                    .add(value.getClass()));
        }

        assertThat(types).hasSize(row.attributes());
        assertThat(types.values()).allMatch(ofName -> ofName.size() >= 4);
    }
}
