package winnow.client.receive;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import winnow.client.message.WinnowMessage;

/// Messages in the order in which they are delivered: higher priorities first, those of one
/// priority as they came. Not thread-safe.
final class PriorityOrder {
    private static final int PRIORITIES = 10;

    /// By priority; null where there has been none.
    @SuppressWarnings({"unchecked", "rawtypes"}) // there are no generic arrays
    private final @Nullable ArrayDeque<WinnowMessage>[] levels = new ArrayDeque[PRIORITIES];

    /// A bit for each priority of which there are messages.
    private int present;

    private ArrayDeque<WinnowMessage> level(int priority) {
        ArrayDeque<WinnowMessage> level = levels[priority];
        if (level == null) {
            level = new ArrayDeque<>();
            levels[priority] = level;
        }
        present |= 1 << priority;
        return level;
    }

    void add(WinnowMessage message) {
        level(message.arrivalPriority()).add(message);
    }

    void addFirst(WinnowMessage message) {
        level(message.arrivalPriority()).addFirst(message);
    }

    /// Takes the messages of another one in, behind those of the same priority that are here. A
    /// priority of which there are none here changes places with the other's as a whole.
    void addAll(PriorityOrder others) {
        for (int priority = 0; priority < PRIORITIES; priority++) {
            if ((others.present & (1 << priority)) == 0) {
                continue;
            }
            ArrayDeque<WinnowMessage> theirs = others.level(priority);
            if ((present & (1 << priority)) == 0) {
                others.levels[priority] = levels[priority];
                levels[priority] = theirs;
                present |= 1 << priority;
            } else {
                level(priority).addAll(theirs);
            }
        }
        others.clear();
    }

    /// The highest priority that is here, -1 if there is nothing.
    int top() {
        return 31 - Integer.numberOfLeadingZeros(present);
    }

    /// True if there are messages of a lower priority than that.
    boolean hasBelow(int priority) {
        return (present & ((1 << priority) - 1)) != 0;
    }

    /// The next message, null if there is none.
    @Nullable WinnowMessage poll() {
        int top = top();
        ArrayDeque<WinnowMessage> level = top < 0 ? null : levels[top];
        if (level == null) {
            return null;
        }
        WinnowMessage next = level.poll();
        if (level.isEmpty()) {
            present &= ~(1 << top);
        }
        return next;
    }

    boolean isEmpty() {
        return present == 0;
    }

    void clear() {
        for (ArrayDeque<WinnowMessage> level : levels) {
            if (level != null) {
                level.clear();
            }
        }
        present = 0;
    }
}
