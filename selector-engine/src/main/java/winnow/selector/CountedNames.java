package winnow.selector;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.selector.slot.Numbers;

/// The names that some selectors use, each with how many do. A change costs the same however many
/// there are. One writer, many readers without locks.
final class CountedNames {

    private static final int MIN_LENGTH = 8;

    private static final class Use {

        final int number;
        int count;

        Use(int number) {
            this.number = number;
        }
    }

    private final Map<String, Use> uses = new HashMap<>();
    private final Numbers numbers = new Numbers();

    /// By number; changed in place, replaced when there are many more or fewer.
    private volatile AtomicReferenceArray<@Nullable String> current =
            new AtomicReferenceArray<>(MIN_LENGTH);

    void add(String name) {
        Use use = uses.get(name);
        if (use == null) {
            use = new Use(numbers.take());
            uses.put(name, use);
            if (use.number == current.length()) {
                resize(2 * use.number);
            }
            current.setRelease(use.number, name);
        }
        use.count++;
    }

    /// One use less of a name that is used.
    void remove(String name) {
        Use use = uses.get(name);
        if (use == null || --use.count > 0) {
            return;
        }
        uses.remove(name);
        current.setRelease(use.number, null);
        numbers.giveBack(use.number);
        if (numbers.limit() * 4 < current.length() && current.length() > MIN_LENGTH) {
            resize(Math.max(MIN_LENGTH, 2 * numbers.limit()));
        }
    }

    private void resize(int length) {
        AtomicReferenceArray<@Nullable String> resized = new AtomicReferenceArray<>(length);
        for (int i = 0; i < Math.min(length, current.length()); i++) {
            resized.setPlain(i, current.getPlain(i));
        }
        current = resized;
    }

    /// Calls the consumer for each name. Any thread.
    void forEach(Consumer<String> consumer) {
        AtomicReferenceArray<@Nullable String> names = current;
        for (int i = 0; i < names.length(); i++) {
            String name = names.getAcquire(i);
            if (name != null) {
                consumer.accept(name);
            }
        }
    }

    int length() {
        return current.length();
    }
}
