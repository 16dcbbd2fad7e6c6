package winnow.broker.metrics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;

/// Counters of one kind of event by its reason. Thread-safe.
public final class ReasonCounters<R extends Enum<R>> {
    private final Map<R, LongAdder> counts;

    ReasonCounters(Class<R> reasons) {
        counts = new EnumMap<>(reasons);
        for (R reason : reasons.getEnumConstants()) {
            counts.put(reason, new LongAdder());
        }
    }

    public void increment(R reason) {
        add(reason, 1);
    }

    public void add(R reason, long count) {
        Objects.requireNonNull(counts.get(reason)).add(count);
    }

    /// The sum over all reasons.
    public long total() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /// Calls `each` with the label of every reason and its count.
    void forEach(ObjLongConsumer<String> each) {
        counts.forEach((reason, count) -> each.accept(label(reason), count.sum()));
    }

    /// A reason as the value of a label: `limit-exceeded`.
    static String label(Enum<?> reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
