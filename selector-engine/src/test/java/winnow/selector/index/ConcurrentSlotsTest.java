package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Names come and go, so many that what messages are looked up in is made anew, while others match.
class ConcurrentSlotsTest {
    private static final int NAMES = 100;
    private static final int ROUNDS = 300;

    private final SelectorIndex<String> index = new SelectorIndex<>(1);
    private final Map<String, String> message = new HashMap<>();
    private volatile boolean finished;

    private SubscriberHandle<String> add(String selector) {
        return index.add(Selector.parse(selector), selector);
    }

    private List<String> match(SlotValues values, MatchScratch matching) {
        MessageValues.set(values, index.slots(), message);
        List<String> matched = new ArrayList<>();
        index.match(values, matching, matched::add);
        return matched;
    }

    /// Matches until the writer has finished, and returns how often.
    private int read() {
        SlotValues values = new SlotValues();
        MatchScratch matching = new MatchScratch();
        int messages = 0;
        while (!finished) {
            assertThat(match(values, matching))
                    .contains("stays = 'x'", "stays IS NOT NULL AND n1 <> 'y'")
                    .doesNotContain("stays = 'y'")
                    .doesNotHaveDuplicates();
            messages++;
        }
        return messages;
    }

    @Test
    void shouldMatchWhatStaysWhileNamesComeAndGo() throws Exception {
        // given
        message.put("stays", "x");
        for (int i = 0; i < NAMES; i++) {
            message.put("n" + i, "x");
        }
        add("stays = 'x'");
        add("stays = 'y'");
        add("stays IS NOT NULL AND n1 <> 'y'");
        SlotValues values = new SlotValues();
        MatchScratch matching = new MatchScratch();

        try (ExecutorService reader = Executors.newSingleThreadExecutor()) {
            Future<Integer> messages = reader.submit(this::read);

            // when
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    List<SubscriberHandle<String>> entries = new ArrayList<>();
                    for (int i = 0; i < NAMES; i++) {
                        entries.add(add("n" + i + " = 'x' AND " + round + " < 1000"));
                    }
                    assertThat(match(values, matching)).hasSize(NAMES + 2);
                    entries.forEach(index::remove);
                    assertThat(match(values, matching)).hasSize(2);
                }
            } finally {
                finished = true;
            }

            // then
            assertThat(messages.get()).isPositive();
        }
    }
}
