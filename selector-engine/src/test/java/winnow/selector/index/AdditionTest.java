package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Large selectors are added and forgotten in steps of a bounded size, at a cost that depends on
/// the selector and not on what else there is. Costs are counted in terms and in bytes.
class AdditionTest {
    private static final int BUDGET = 16;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final SelectorIndex<String> index = new SelectorIndex<>(7);
    private final MatchScratch matching = new MatchScratch();

    private static Selector namesJoined(String prefix, int count, String operator) {
        return Selector.parse(
                IntStream.range(0, count)
                        .mapToObj(i -> prefix + i + (i % 2 == 0 ? " = 'x" + i + "'" : " > " + i))
                        .collect(Collectors.joining(operator)));
    }

    private static Selector values(int count) {
        return Selector.parse(
                IntStream.range(0, count)
                        .mapToObj(i -> "'v" + i + "'")
                        .collect(Collectors.joining(", ", "p IN (", ")")));
    }

    private List<String> match(Map<String, Object> message) {
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), message);
        List<String> matches = new ArrayList<>();
        index.match(values, matching, matches::add);
        return matches;
    }

    /// Half of the names are compared with numbers, for which there are terms only if they are
    /// keys.
    @ParameterizedTest
    @CsvSource({"' OR ', 2700", "' AND ', 1350"})
    void shouldAddAndForgetNamesInSmallSteps(String operator, int terms) {
        shouldAddAndForgetInSmallSteps(namesJoined("n", 2_700, operator), 2_700, terms);
    }

    @Test
    void shouldAddAndForgetValuesInSmallSteps() {
        shouldAddAndForgetInSmallSteps(values(5_000), 5_000, 5_001);
    }

    private void shouldAddAndForgetInSmallSteps(Selector selector, int conditions, int terms) {
        // when
        Addition<String> addition = index.adding(selector, "it");
        int steps = 1;
        int before = index.terms();
        while (addition.step(BUDGET)) {
            steps++;
            assertThat(index.terms() - before).isBetween(0, BUDGET);
            before = index.terms();
            assertThat(match(Map.of("n0", "x0", "p", "v0"))).isEmpty();
            assertThatThrownBy(addition::entry).isInstanceOf(IllegalStateException.class);
        }

        // then
        assertThat(steps).isBetween(conditions / BUDGET, 3 * conditions / BUDGET);
        assertThat(index.terms()).isEqualTo(terms);
        assertThat(index.size()).isOne();

        // when
        index.detach(addition.entry());
        assertThat(match(Map.of("n0", "x0", "p", "v0"))).isEmpty();
        steps = 1;
        before = index.terms();
        while (index.tidy(BUDGET)) {
            steps++;
            assertThat(before - index.terms()).isBetween(0, BUDGET);
            before = index.terms();
        }

        // then
        assertThat(steps).isBetween(conditions / BUDGET, 5 * conditions / BUDGET);
        assertThat(index.terms()).isZero();
        assertThat(index.slots().constants()).isZero();
        assertThat(index.probedSlots()).isZero();
    }

    @Test
    void shouldKeepOthersRightWhileSelectorsComeAndGo() {
        // given
        SubscriberHandle<String> first = index.add(namesJoined("n", 300, " OR "), "first");
        Addition<String> same = index.adding(namesJoined("n", 300, " OR "), "same");
        Addition<String> twin = index.adding(namesJoined("n", 300, " OR "), "twin");
        same.step(BUDGET);
        twin.step(BUDGET);

        // when
        index.detach(first);
        index.tidy(BUDGET);
        boolean more = true;
        while (more) {
            boolean sameHasMore = same.step(BUDGET);
            more = twin.step(BUDGET) || sameHasMore;
            index.tidy(1);
        }

        // then
        assertThat(match(Map.of("n0", "x0"))).containsExactlyInAnyOrder("same", "twin");
        assertThat(index.selectors()).isOne();

        // when
        index.detach(same.entry());
        while (index.tidy(BUDGET)) {
            assertThat(match(Map.of("n299", 300))).containsExactly("twin");
        }
        index.remove(twin.entry());

        // then
        assertThat(match(Map.of("n299", 300))).isEmpty();
        assertThat(index.terms()).isZero();
        assertThat(index.slots().slotOf("n0")).isEqualTo(-1);
    }

    @Test
    void shouldAddWhatIsBeingForgotten() {
        // given
        SubscriberHandle<String> old = index.add(values(1_000), "old");
        index.detach(old);
        index.tidy(100);

        // when
        index.add(values(1_000), "new");
        while (index.tidy(BUDGET)) {
            assertThat(match(Map.of("p", "v7"))).containsExactly("new");
        }

        // then
        assertThat(match(Map.of("p", "v999"))).containsExactly("new");
        assertThat(index.terms()).isEqualTo(1_001);
    }

    @Test
    void shouldTakeNoMoreForANameTheMoreThereAre() {
        // given
        bytesOfAdding("warm", 1_000);
        long few = bytesOfAdding("a", 1_000);
        for (int i = 0; i < 30; i++) {
            index.add(namesJoined("b" + i + "_", 2_000, " AND "), "many");
        }

        // when
        long many = bytesOfAdding("c", 1_000);

        // then: an array of all names, once for the selector, and not once for each of its names
        assertThat(many).isLessThan(3 * few);
    }

    private long bytesOfAdding(String prefix, int names) {
        Selector selector = namesJoined(prefix, names, " AND ").canonical();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        SubscriberHandle<String> entry = index.add(selector, prefix);
        index.remove(entry);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
