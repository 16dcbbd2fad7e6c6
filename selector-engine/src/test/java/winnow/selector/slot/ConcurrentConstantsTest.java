package winnow.selector.slot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A table of constants is replaced while messages are looked up in it.
class ConcurrentConstantsTest {

    private static final int STAYING = 200;
    private static final int CHANGES = 200_000;
    private static final int MOST = 20_000;

    private final Slots slots = new Slots(1);
    private final int slot = slots.require("a");
    private final int[] numbers = new int[STAYING];

    private static byte[] text(int i) {
        return ("text " + i).getBytes(UTF_8);
    }

    @Test
    void shouldFindWhatStaysWhileOthersComeAndGo() {
        // given
        for (int i = 0; i < STAYING; i++) {
            numbers[i] = slots.requireConstant(slot, text(i));
        }
        slots.publish();
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<List<String>> reading =
                CompletableFuture.supplyAsync(() -> lookUpUntil(done));

        // when
        ArrayDeque<Integer> others = new ArrayDeque<>();
        boolean growing = true;
        for (int i = 0; i < CHANGES; i++) {
            if (growing) {
                others.add(slots.requireConstant(slot, text(STAYING + i)));
            } else {
                slots.releaseConstant(slot, others.remove());
            }
            growing = others.isEmpty() || (growing && others.size() < MOST);
            slots.publish();
        }
        done.set(true);

        // then
        assertThat(reading.join()).isEmpty();
        assertThat(slots.constants()).isEqualTo(STAYING + others.size());
    }

    /// Returns what was found wrong.
    private List<String> lookUpUntil(AtomicBoolean done) {
        List<String> wrong = new ArrayList<>();
        SlotValues values = new SlotValues();
        for (int i = 0; !done.get() && wrong.size() < 10; i = (i + 1) % STAYING) {
            byte[] text = text(i);
            values.reset(slots);
            values.setString(slot, text, 0, text.length);
            if (values.constant(slot) != numbers[i]) {
                wrong.add(i + " was " + values.constant(slot));
            }
        }
        return wrong;
    }
}
