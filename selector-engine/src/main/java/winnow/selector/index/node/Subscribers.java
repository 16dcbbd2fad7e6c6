package winnow.selector.index.node;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The subscribers of one selector, in the order in which they came; forms and threads as in
/// [winnow.selector.index.structure.Members], but chunks are filled one after the other, to keep
/// the order.
public final class Subscribers {

    private static final int MAX_FLAT = 256;
    private static final int MAX_CHUNK = 64;
    private static final Object[] EMPTY = {};

    private Subscribers() {}

    static Object with(@Nullable Object content, NodeEntry<?> entry) {
        return switch (content) {
            case null -> entry;
            case Object[] flat -> {
                if (flat.length < MAX_FLAT) {
                    yield append(flat, entry);
                }
                yield Chunks.of(flat, 2 * MAX_FLAT).with(entry);
            }
            case Chunks chunks -> chunks.with(entry);
            default -> new Object[] {content, entry};
        };
    }

    static @Nullable Object without(@Nullable Object content, NodeEntry<?> entry) {
        return switch (content) {
            case null -> throw new IllegalStateException("not a subscriber");
            case Object[] flat -> {
                Object[] fewer = remove(flat, entry);
                yield fewer.length == 1 ? fewer[0] : fewer;
            }
            case Chunks chunks -> {
                chunks.remove(entry);
                yield chunks.size <= MAX_FLAT / 2 ? chunks.flat() : chunks;
            }
            default -> null;
        };
    }

    static int size(@Nullable Object content) {
        return switch (content) {
            case null -> 0;
            case Object[] flat -> flat.length;
            case Chunks chunks -> chunks.size;
            default -> 1;
        };
    }

    private static Object[] append(Object[] entries, NodeEntry<?> entry) {
        Object[] more = Arrays.copyOf(entries, entries.length + 1);
        more[entries.length] = entry;
        return more;
    }

    private static Object[] remove(Object[] entries, NodeEntry<?> entry) {
        int at = 0;
        while (entries[at] != entry) {
            at++;
        }
        Object[] fewer = new Object[entries.length - 1];
        System.arraycopy(entries, 0, fewer, 0, at);
        System.arraycopy(entries, at + 1, fewer, at, fewer.length - at);
        return fewer;
    }

    /// Small arrays, of which only the last grows.
    public static final class Chunks {

        private final AtomicReferenceArray<Object[]> chunks;
        private int last;
        private int size;

        private Chunks(int capacity) {
            this.chunks = new AtomicReferenceArray<>((capacity + MAX_CHUNK - 1) / MAX_CHUNK);
            for (int i = 0; i < chunks.length(); i++) {
                chunks.setPlain(i, EMPTY);
            }
        }

        private static Chunks of(Object[] entries, int capacity) {
            Chunks chunks = new Chunks(capacity);
            for (int from = 0; from < entries.length; from += MAX_CHUNK) {
                int to = Math.min(from + MAX_CHUNK, entries.length);
                chunks.last = from / MAX_CHUNK;
                chunks.chunks.setPlain(chunks.last, Arrays.copyOfRange(entries, from, to));
                for (int i = from; i < to; i++) {
                    ((NodeEntry<?>) entries[i]).chunk(chunks.last);
                }
            }
            chunks.size = entries.length;
            return chunks;
        }

        public int count() {
            return chunks.length();
        }

        /// Borrowed: never change it.
        public Object[] chunk(int i) {
            return chunks.getAcquire(i);
        }

        private Chunks with(NodeEntry<?> entry) {
            if (chunks.getPlain(last).length >= MAX_CHUNK) {
                if (last + 1 == chunks.length()) {
                    return of(flat(), 2 * size + MAX_CHUNK).with(entry);
                }
                last++;
            }
            entry.chunk(last);
            chunks.setRelease(last, append(chunks.getPlain(last), entry));
            size++;
            return this;
        }

        private void remove(NodeEntry<?> entry) {
            Object[] chunk = chunks.getPlain(entry.chunk());
            chunks.setRelease(entry.chunk(), Subscribers.remove(chunk, entry));
            size--;
        }

        private Object[] flat() {
            Object[] flat = new Object[size];
            int length = 0;
            for (int i = 0; i <= last; i++) {
                Object[] chunk = chunks.getPlain(i);
                System.arraycopy(chunk, 0, flat, length, chunk.length);
                length += chunk.length;
            }
            return flat;
        }
    }
}
