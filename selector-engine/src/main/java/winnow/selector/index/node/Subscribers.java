package winnow.selector.index.node;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The subscribers of one selector, in the order in which they came. The first may be there as
/// itself, because its node is its handle; the others are there as [NodeEntry]. Forms and threads
/// are as in [winnow.selector.index.structure.Members], but chunks are filled one after the other,
/// to keep the order.
///
/// Subscribers come and go on event loops. A switch over types takes milliseconds at its first use,
/// so what runs when one goes has none.
public final class Subscribers {

    private static final int MAX_FLAT = 256;
    private static final int MAX_CHUNK = 64;
    private static final Object[] EMPTY = {};

    private Subscribers() {}

    /// Whether a subscriber cannot be taken for something else that is kept here.
    static boolean isPlain(Object subscriber) {
        return !(subscriber instanceof NodeEntry<?>
                || subscriber instanceof Object[]
                || subscriber instanceof Chunks);
    }

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
        return without(content, entry, entry.chunk());
    }

    /// Without the first, which is there as itself.
    static @Nullable Object withoutFirst(@Nullable Object content) {
        return without(content, first(content), 0);
    }

    private static @Nullable Object without(
            @Nullable Object content, @Nullable Object subscriber, int chunk) {
        if (content == null) {
            throw new IllegalStateException("not a subscriber");
        }
        if (content instanceof Object[] flat) {
            Object[] fewer = remove(flat, subscriber);
            return fewer.length == 1 ? fewer[0] : fewer;
        }
        if (content instanceof Chunks chunks) {
            chunks.remove(subscriber, chunk);
            return chunks.size <= MAX_FLAT / 2 ? chunks.flat() : chunks;
        }
        return null;
    }

    /// Whether the first is there as itself.
    static boolean beginWithPlain(@Nullable Object content) {
        Object first = first(content);
        return first != null && isPlain(first);
    }

    /// The first element, null if there is none. Who is there as itself has been the first since it
    /// came.
    private static @Nullable Object first(@Nullable Object content) {
        if (content instanceof Object[] flat) {
            return flat.length == 0 ? null : flat[0];
        }
        return content instanceof Chunks chunks ? first(chunks.chunk(0)) : content;
    }

    /// The subscriber, if it is one, else null.
    static @Nullable Object only(@Nullable Object content) {
        if (content instanceof NodeEntry<?> entry) {
            return entry.subscriber();
        }
        return content instanceof Object[] || content instanceof Chunks ? null : content;
    }

    /// @param element of a list, or the content if it is one
    public static Object subscriber(Object element) {
        return element instanceof NodeEntry<?> entry ? entry.subscriber() : element;
    }

    static int size(@Nullable Object content) {
        return switch (content) {
            case null -> 0;
            case Object[] flat -> flat.length;
            case Chunks chunks -> chunks.size;
            default -> 1;
        };
    }

    private static Object[] append(Object[] elements, NodeEntry<?> entry) {
        Object[] more = Arrays.copyOf(elements, elements.length + 1);
        more[elements.length] = entry;
        return more;
    }

    @SuppressWarnings("ReferenceEquality") // Equal subscribers are different ones.
    private static Object[] remove(Object[] elements, @Nullable Object element) {
        int at = 0;
        while (elements[at] != element) {
            at++;
        }
        Object[] fewer = new Object[elements.length - 1];
        System.arraycopy(elements, 0, fewer, 0, at);
        System.arraycopy(elements, at + 1, fewer, at, fewer.length - at);
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

        private static Chunks of(Object[] elements, int capacity) {
            Chunks chunks = new Chunks(capacity);
            for (int from = 0; from < elements.length; from += MAX_CHUNK) {
                int to = Math.min(from + MAX_CHUNK, elements.length);
                chunks.last = from / MAX_CHUNK;
                chunks.chunks.setPlain(chunks.last, Arrays.copyOfRange(elements, from, to));
                for (int i = from; i < to; i++) {
                    if (elements[i] instanceof NodeEntry<?> entry) {
                        entry.chunk(chunks.last);
                    }
                }
            }
            chunks.size = elements.length;
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

        private void remove(@Nullable Object element, int chunk) {
            chunks.setRelease(chunk, Subscribers.remove(chunks.getPlain(chunk), element));
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
