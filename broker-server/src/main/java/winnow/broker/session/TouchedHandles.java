package winnow.broker.session;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The destinations that a connection has published to since credit was given back last. Owned by
/// the connection's event loop.
final class TouchedHandles {
    private final List<ProducerHandle> touched = new ArrayList<>();
    private @Nullable ProducerHandle last;

    /// Number of these that [#nextBlocked] has seen.
    private int seen;

    void add(ProducerHandle handle) {
        if (handle != last) {
            last = handle;
            touched.add(handle);
        }
    }

    /// The first one that is blocked, of those since the last call and the one before; null if none
    /// is.
    @Nullable ProducerHandle nextBlocked() {
        for (int i = Math.max(0, seen - 1); i < touched.size(); i++) {
            if (touched.get(i).destination().blocked()) {
                return touched.get(i);
            }
        }
        return null;
    }

    /// All have been looked at.
    void onSeen() {
        seen = touched.size();
    }

    /// Gives their credit back, and forgets them.
    void settle() {
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).settle();
        }
        clear();
    }

    void clear() {
        touched.clear();
        last = null;
        seen = 0;
    }
}
