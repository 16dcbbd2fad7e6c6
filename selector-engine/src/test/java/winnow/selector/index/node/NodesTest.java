package winnow.selector.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;

class NodesTest {

    private static final int COUNT = 5_000;
    private static final int KEPT = 50;

    private final SelectorIndex<String> index = new SelectorIndex<>(1);

    private SubscriberHandle<String> add(String selector) {
        return index.add(Selector.parse(selector), "subscriber");
    }

    @Test
    void shouldFindEqualSelectorsAfterItGrewAndShrank() {
        // given
        List<SubscriberHandle<String>> entries = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            entries.add(add("a = " + i + " AND b"));
        }

        // when
        entries.subList(KEPT, COUNT).forEach(index::remove);
        for (int i = 0; i < KEPT; i++) {
            add("b AND " + i + " = a");
        }

        // then
        assertThat(index.selectors()).isEqualTo(KEPT);
        assertThat(index.size()).isEqualTo(2 * KEPT);
    }

    @Test
    void shouldAddAgainWhatWasRemoved() {
        // given
        SubscriberHandle<String> removed = add("a = 1 OR b");
        add("a = 2");
        index.remove(removed);

        // when
        add("a = 1 OR b");

        // then
        assertThat(index.selectors()).isEqualTo(2);
    }
}
