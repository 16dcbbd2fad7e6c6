package winnow.selector.index.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A hash table is replaced while others look into it.
class ConcurrentHashChainsTest {

    private static final int STAYING = 200;
    private static final int CHANGES = 400_000;
    private static final int MOST = 20_000;

    private final HashChains<Integer> chains = new HashChains<>();

    private int found(int key) {
        int found = 0;
        for (var link = chains.bucket(Double.doubleToRawLongBits(key));
                link != null;
                link = link.next) {
            if (link.key == Double.doubleToRawLongBits(key) && link.value == key) {
                found++;
            }
        }
        return found;
    }

    @Test
    void shouldFindWhatStaysOnceWhileOthersComeAndGo() {
        // given
        for (int i = 0; i < STAYING; i++) {
            chains.add(Double.doubleToRawLongBits(i), i);
        }
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<List<String>> reading =
                CompletableFuture.supplyAsync(() -> lookUpUntil(done));

        // when
        ArrayDeque<Integer> others = new ArrayDeque<>();
        boolean growing = true;
        for (int i = STAYING; i < CHANGES; i++) {
            if (growing) {
                Integer value = i;
                chains.add(Double.doubleToRawLongBits(i), value);
                others.add(value);
            } else {
                Integer value = others.remove();
                chains.remove(Double.doubleToRawLongBits(value), value);
            }
            growing = others.isEmpty() || (growing && others.size() < MOST);
        }
        done.set(true);

        // then
        assertThat(reading.join()).isEmpty();
        assertThat(chains.size()).isEqualTo(STAYING + others.size());
    }

    /// Returns what was found wrong.
    private List<String> lookUpUntil(AtomicBoolean done) {
        List<String> wrong = new ArrayList<>();
        for (int i = 0; !done.get() && wrong.size() < 10; i = (i + 1) % STAYING) {
            int found = found(i);
            if (found != 1) {
                wrong.add(i + " was found " + found + " times");
            }
        }
        return wrong;
    }
}
