package winnow.selector.slot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// A table of constants is replaced while messages are looked up in it.
class ConcurrentConstantsTest {

    private static final int STAYING = 200;
    private static final int CHANGES = 200_000;
    private static final int MOST = 20_000;
    private static final int FEW = 16;

    private final Slots slots = new Slots(1);
    private final int slot = slots.require("a");
    private final int[] numbers = new int[STAYING];

    /// The reader's.
    private final SlotValues values = new SlotValues();

    /// Of a word, of two, and longer.
    private static byte[] text(int i) {
        String text =
                switch (i % 3) {
                    case 0 -> "" + i;
                    case 1 -> i + ". text";
                    default -> "a longer text " + i;
                };
        return text.getBytes(UTF_8);
    }

    private static byte[] other(int i) {
        return text(STAYING + i);
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
                others.add(slots.requireConstant(slot, other(i)));
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
        for (int i = 0; !done.get() && wrong.size() < 10; i = (i + 1) % STAYING) {
            int number = constant(text(i));
            if (number != numbers[i]) {
                wrong.add(i + " was " + number);
            }
        }
        return wrong;
    }

    @Test
    void shouldNeverTakeOneConstantForAnotherWhoseNumberIsUsedAgain() {
        // given
        for (int i = 0; i < STAYING; i++) {
            // The numbers between are free.
            numbers[i] = slots.requireConstant(slot, text(i));
            slots.requireConstant(slot, other(i));
        }
        for (int i = 0; i < STAYING; i++) {
            slots.releaseConstant(slot, numbers[i] + 1);
        }
        slots.publish();
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<List<String>> reading =
                CompletableFuture.supplyAsync(() -> lookUpOthersUntil(done));

        // when
        for (int round = 0; round < CHANGES / FEW; round++) {
            int[] used = new int[FEW];
            for (int i = 0; i < FEW; i++) {
                // Each has another number in every round.
                used[i] = slots.requireConstant(slot, other((i + round) % FEW));
            }
            slots.publish();
            for (int i = 0; i < FEW; i++) {
                int number = used[(i + round / 2) % FEW];
                slots.releaseConstant(slot, number);
            }
        }
        done.set(true);

        // then
        assertThat(reading.join()).isEmpty();
        assertThat(slots.constants()).isEqualTo(STAYING);
    }

    /// Returns what was found wrong: no other has the number of one that stays, and what stays has
    /// its own.
    private List<String> lookUpOthersUntil(AtomicBoolean done) {
        Set<Integer> ofStaying = Arrays.stream(numbers).boxed().collect(Collectors.toSet());
        List<String> wrong = new ArrayList<>();
        for (int i = 0; !done.get() && wrong.size() < 10; i++) {
            int staying = i % STAYING;
            if (constant(text(staying)) != numbers[staying]) {
                wrong.add("what stays is not found: " + staying);
            }
            int number = constant(other(i % FEW));
            if (ofStaying.contains(number)) {
                wrong.add("another has the number of what stays: " + number);
            }
            if (constant(other(FEW + i % FEW)) != SlotValues.NO_CONSTANT) {
                wrong.add("one that never was there is found: " + (FEW + i % FEW));
            }
        }
        return wrong;
    }

    private int constant(byte[] text) {
        values.reset(slots);
        values.setString(slot, text, 0, text.length);
        return values.constant(slot);
    }
}
