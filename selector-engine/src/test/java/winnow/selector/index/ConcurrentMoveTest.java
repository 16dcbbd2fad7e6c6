package winnow.selector.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import winnow.selector.engine.Selector;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.node.Node;
import winnow.selector.index.term.AccessKeys;
import winnow.selector.index.term.ConstantTerm;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.Term;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// Threads match while selectors move from one access key to another and back.
@Timeout(120)
class ConcurrentMoveTest {

    private static final int MOVES = 200_000;
    private static final int READERS = 2;
    private static final int SELECTORS = 8;
    private static final byte[] TEXT = "v".getBytes(UTF_8);

    private final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    private volatile boolean finished;

    @Test
    void shouldMatchEachOnceWhileSelectorsMove() throws Exception {
        // given
        List<Node<Integer>> nodes = new ArrayList<>();
        for (int i = 0; i < SELECTORS; i++) {
            String text = "a = 'v' AND b = 'v' AND c = 'v' AND " + i + " <= n";
            SubscriberHandle<Integer> entry = index.add(Selector.parse(text), i);
            nodes.add(Node.of(entry));
        }
        List<AccessKeys> keys =
                ((Formula.AllOf) nodes.getFirst().formula())
                        .operands().stream()
                                .map(operand -> AccessKeys.of(operand, Term::cost))
                                .filter(each -> each.terms().getFirst() instanceof ConstantTerm)
                                .toList();
        assertThat(keys).hasSize(3);
        List<Future<Long>> results = new ArrayList<>();

        try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
            for (int i = 0; i < READERS; i++) {
                results.add(readers.submit(this::read));
            }

            // when
            for (int i = 0; i < MOVES; i++) {
                index.move(nodes.get(i % SELECTORS), keys.get(i / SELECTORS % keys.size()));
            }
            finished = true;
        }

        // then
        for (Future<Long> result : results) {
            assertThat(result.get()).isGreaterThan(1_000);
        }
    }

    private long read() {
        MatchScratch matching = Slices.matching();
        SlotValues values = new SlotValues(4);
        int[] calls = new int[SELECTORS];
        Slots slots = index.slots();
        String[] names = {"c", "a", "b"};
        long messages = 0;
        for (; !finished; messages++) {
            values.reset(slots);
            for (int i = 0; i < names.length; i++) {
                String name = names[(int) (i + messages) % names.length];
                values.setString(slots.slotOf(name), TEXT, 0, TEXT.length);
            }
            int wanted = (int) (messages % SELECTORS);
            values.setInt(slots.slotOf("n"), wanted);
            if (messages % 2 == 0) {
                index.match(values, matching, i -> calls[i]++);
            } else {
                Slices.match(index, values, matching, i -> calls[i]++);
            }
            for (int i = 0; i < SELECTORS; i++) {
                assertThat(calls[i])
                        .as("calls of %d, message %d", i, messages)
                        .isEqualTo(i <= wanted ? 1 : 0);
                calls[i] = 0;
            }
        }
        return messages;
    }
}
