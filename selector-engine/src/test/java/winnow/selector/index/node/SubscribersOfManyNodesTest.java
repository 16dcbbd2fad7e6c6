package winnow.selector.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Subscribers of selectors that share a key get each message once, while they come and go and the
/// selectors are kept one by one, as a leaf or in blocks.
class SubscribersOfManyNodesTest {
    private static final int WAVES = 3;

    /// So that there are several blocks.
    private static final int MOST = 6_000;

    private record Subscribed(int subscriber, int selector, SubscriberHandle<Integer> entry) {}

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private final MatchScratch matching = new MatchScratch();
    private final List<Subscribed> subscribed = new ArrayList<>();
    private final Random random = new Random(1);
    private int next;

    private void add(int selectors) {
        int selector = random.nextInt(selectors);
        String text = "a = 'x' AND n <> " + selector;
        subscribed.add(new Subscribed(next, selector, index.add(Selector.parse(text), next)));
        next++;
    }

    private void remove() {
        int at = random.nextInt(subscribed.size());
        index.remove(subscribed.get(at).entry());
        subscribed.set(at, subscribed.getLast());
        subscribed.removeLast();
    }

    private void check() {
        int number = random.nextInt(MOST);
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), Map.of("a", "x", "n", number));
        List<Integer> matched = new ArrayList<>();
        index.match(values, matching, matched::add);
        assertThat(matched.stream().sorted().toList())
                .isEqualTo(
                        subscribed.stream()
                                .filter(each -> each.selector() != number)
                                .map(Subscribed::subscriber)
                                .sorted()
                                .toList());
    }

    @Test
    void shouldTellTheSubscribersOfEachNodeWhileThereAreFewAndMany() {
        for (int wave = 0; wave < WAVES; wave++) {
            // when they grow, with subscribers that share a selector
            while (subscribed.size() < MOST) {
                add(MOST);
                if (random.nextInt(4) == 0) {
                    remove();
                }
                if (subscribed.size() < 200 || random.nextInt(200) == 0) {
                    check();
                }
            }

            // when they shrink
            while (subscribed.size() > 1) {
                remove();
                if (random.nextInt(4) == 0) {
                    add(MOST);
                }
                if (subscribed.size() < 200 || random.nextInt(200) == 0) {
                    check();
                }
            }
        }

        // then
        remove();
        check();
        assertThat(index.size()).isZero();
    }
}
