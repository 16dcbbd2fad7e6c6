package winnow.selector.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Subscribers of one selector get each message once and in their order, however they come and go.
class SubscribersTest {

    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());

    private record Added(Object subscriber, SubscriberHandle<Object> entry) {}

    private final SelectorIndex<Object> index = new SelectorIndex<>(SEED);
    private final MatchScratch matching = new MatchScratch();
    private final Random random = new Random(SEED);
    private final List<Object> other = contents();

    private Added add(Object subscriber) {
        return new Added(subscriber, index.add(Selector.parse("p = 'x' AND n > 1"), subscriber));
    }

    /// An object of a kind that lists of subscribers are made of, too, or another one.
    private Object subscriber(List<Added> added) {
        int kind = added.isEmpty() ? random.nextInt(4) : random.nextInt(6);
        return switch (kind) {
            case 0 -> new Object[] {"one", "two"};
            case 1 -> new Object();
            case 2 -> other.get(random.nextInt(other.size()));
            case 3 -> other.get(0);
            case 4 -> added.get(random.nextInt(added.size())).entry;
            default -> added.get(random.nextInt(added.size())).subscriber;
        };
    }

    /// What nodes with one subscriber, some and many keep of them: all that a list is made of.
    private static List<Object> contents() {
        SelectorIndex<Object> index = new SelectorIndex<>(1);
        List<Object> contents = new ArrayList<>();
        for (int count : List.of(2, 5, 1_000)) {
            SubscriberHandle<Object> entry = null;
            for (int i = 0; i < count; i++) {
                entry = index.add(Selector.parse("p = 'x" + count + "'"), i);
            }
            SubscriberHandle<Object> last = Objects.requireNonNull(entry);
            contents.add(last);
            contents.add(Objects.requireNonNull(Node.of(last).subscribers()));
        }
        assertThat(contents).noneMatch(Subscribers::isPlain);
        return contents;
    }

    private List<Object> match() {
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), Map.of("p", "x", "n", 2));
        List<Object> matches = new ArrayList<>();
        index.match(values, matching, matches::add);
        return matches;
    }

    private static List<Object> subscribers(List<Added> added) {
        return added.stream().map(Added::subscriber).toList();
    }

    @Test
    void shouldTellThemInOrderWhileTheyComeAndGo() {
        System.out.println("SubscribersTest: -Dwinnow.selector.seed=" + SEED);
        List<Added> added = new ArrayList<>();
        Added gone = null;
        for (int i = 0; i < 30_000; i++) {
            // given
            int wanted = i / 2_000 % 2 == 0 ? 700 : i % 6_000 < 4_000 ? 0 : 150;
            if (!added.isEmpty() && random.nextInt(10) < (added.size() > wanted ? 8 : 2)) {
                gone = added.remove(random.nextInt(4) == 0 ? 0 : random.nextInt(added.size()));
                index.remove(gone.entry);
            } else {
                added.add(add(subscriber(added)));
            }

            // when
            if (gone != null) {
                index.remove(gone.entry);
            }

            // then
            assertThat(index.size()).isEqualTo(added.size());
            if (i % 16 == 0 || added.size() < 4) {
                assertThat(match()).as("seed %d", SEED).isEqualTo(subscribers(added));
            }
        }
        added.forEach(each -> index.remove(each.entry));
        assertThat(index.selectors()).isZero();
        assertThat(index.terms()).isZero();
    }

    @Test
    void shouldRemoveTheFirstOnlyOnce() {
        // given
        Added first = add("first");
        Added second = add("second");
        index.remove(first.entry);
        Added third = add("third");

        // when
        index.remove(first.entry);

        // then
        assertThat(match()).containsExactly("second", "third");
        index.remove(second.entry);
        index.remove(first.entry);
        assertThat(match()).containsExactly("third");
        index.remove(third.entry);
        assertThat(index.selectors()).isZero();
    }

    /// These cannot be there as themselves, even alone.
    @Test
    void shouldTellASubscriberThatIsWhatListsAreMadeOf() {
        for (Object subscriber : other) {
            Added alone = add(subscriber);
            assertThat(match()).containsExactly(subscriber);
            Added second = add("second");
            assertThat(match()).containsExactly(subscriber, "second");
            index.remove(alone.entry);
            assertThat(match()).containsExactly("second");
            index.remove(second.entry);
            assertThat(index.selectors()).isZero();
        }
    }
}
