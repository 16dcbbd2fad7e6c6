package winnow.selector.index.node;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The subscribers of one selector, in the order in which they came. The first of a node is there
/// as itself as long as it is alone, because the node is its handle. All others are there as
/// [NodeEntry], so that a message goes through a list without a look at what is in it, and so is a
/// first that [#isPlain] is false for, which has a handle of its own then. Forms and threads are as
/// in [winnow.selector.index.structure.Members], but chunks are filled one after the other, to keep
/// the order.
///
/// Subscribers come and go on event loops. A switch over types takes milliseconds at its first use,
/// so what runs when one goes has none.
public final class Subscribers {

    private static final int MAX_FLAT = 256;
    private static final int MAX_CHUNK = 64;
    private static final NodeEntry<?>[] EMPTY = {};

    private Subscribers() {}

    /// True if a subscriber cannot be taken for something else that is kept here.
    static boolean isPlain(Object subscriber) {
        return !(subscriber instanceof NodeEntry<?>
                || subscriber instanceof NodeEntry<?>[]
                || subscriber instanceof Chunks);
    }

    static <S> Object with(@Nullable Object content, NodeEntry<S> entry) {
        if (content == null) {
            return entry;
        }
        if (content instanceof NodeEntry<?>[] flat) {
            return flat.length < MAX_FLAT
                    ? append(flat, entry)
                    : Chunks.of(flat, 2 * MAX_FLAT).with(entry);
        }
        if (content instanceof Chunks chunks) {
            return chunks.with(entry);
        }
        NodeEntry<?> one =
                content instanceof NodeEntry<?> before
                        ? before
                        : NodeEntry.ofFirst(content, entry.node());
        return new NodeEntry<?>[] {one, entry};
    }

    static @Nullable Object without(@Nullable Object content, NodeEntry<?> entry) {
        return content instanceof NodeEntry<?> ? null : fewer(content, entry);
    }

    /// Without the first of the node.
    ///
    /// @param content that [#haveFirst] is true for
    static @Nullable Object withoutFirst(Object content) {
        return isList(content) ? fewer(content, Objects.requireNonNull(first(content))) : null;
    }

    private static Object fewer(@Nullable Object content, NodeEntry<?> entry) {
        if (content instanceof NodeEntry<?>[] flat) {
            NodeEntry<?>[] fewer = remove(flat, entry);
            if (fewer.length > 1) {
                return fewer;
            }
            return fewer[0].isHandle() ? fewer[0] : fewer[0].subscriber();
        }
        if (content instanceof Chunks chunks) {
            chunks.remove(entry);
            return chunks.size <= MAX_FLAT / 2 ? chunks.flat() : chunks;
        }
        throw new IllegalStateException("not a subscriber");
    }

    /// True if the first of the node, whose handle the node is, is still there.
    static boolean haveFirst(Object content) {
        if (content instanceof NodeEntry<?>) {
            return false;
        }
        if (!isList(content)) {
            return true;
        }
        NodeEntry<?> first = first(content);
        return first != null && !first.isHandle();
    }

    private static boolean isList(Object content) {
        return content instanceof NodeEntry<?>[] || content instanceof Chunks;
    }

    /// The first of a list; null if the first chunk is empty.
    private static @Nullable NodeEntry<?> first(Object list) {
        NodeEntry<?>[] entries =
                list instanceof Chunks chunks ? chunks.chunk(0) : (NodeEntry<?>[]) list;
        return entries.length == 0 ? null : entries[0];
    }

    /// The subscriber, if it is one, else null.
    static @Nullable Object only(@Nullable Object content) {
        return content == null || isList(content) ? null : subscriber(content);
    }

    /// @param content that is one subscriber
    public static Object subscriber(Object content) {
        return content instanceof NodeEntry<?> entry ? entry.subscriber() : content;
    }

    static int size(@Nullable Object content) {
        if (content == null) {
            return 0;
        }
        if (content instanceof NodeEntry<?>[] flat) {
            return flat.length;
        }
        return content instanceof Chunks chunks ? chunks.size : 1;
    }

    private static NodeEntry<?>[] append(NodeEntry<?>[] entries, NodeEntry<?> entry) {
        NodeEntry<?>[] more = Arrays.copyOf(entries, entries.length + 1);
        more[entries.length] = entry;
        return more;
    }

    @SuppressWarnings("ReferenceEquality") // Equal subscribers are different ones.
    private static NodeEntry<?>[] remove(NodeEntry<?>[] entries, NodeEntry<?> entry) {
        int at = 0;
        while (entries[at] != entry) {
            at++;
        }
        NodeEntry<?>[] fewer = new NodeEntry<?>[entries.length - 1];
        System.arraycopy(entries, 0, fewer, 0, at);
        System.arraycopy(entries, at + 1, fewer, at, fewer.length - at);
        return fewer;
    }

    /// Small arrays, of which only the last grows.
    public static final class Chunks {

        private final AtomicReferenceArray<NodeEntry<?>[]> chunks;
        private int last;
        private int size;

        private Chunks(int capacity) {
            this.chunks = new AtomicReferenceArray<>((capacity + MAX_CHUNK - 1) / MAX_CHUNK);
            for (int i = 0; i < chunks.length(); i++) {
                chunks.setPlain(i, EMPTY);
            }
        }

        private static Chunks of(NodeEntry<?>[] entries, int capacity) {
            Chunks chunks = new Chunks(capacity);
            for (int from = 0; from < entries.length; from += MAX_CHUNK) {
                int to = Math.min(from + MAX_CHUNK, entries.length);
                chunks.last = from / MAX_CHUNK;
                chunks.chunks.setPlain(chunks.last, Arrays.copyOfRange(entries, from, to));
                for (int i = from; i < to; i++) {
                    if (entries[i].isHandle()) {
                        entries[i].chunk(chunks.last);
                    }
                }
            }
            chunks.size = entries.length;
            return chunks;
        }

        public int count() {
            return chunks.length();
        }

        /// Borrowed: never change it.
        public NodeEntry<?>[] chunk(int i) {
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
            int chunk = entry.chunk();
            chunks.setRelease(chunk, Subscribers.remove(chunks.getPlain(chunk), entry));
            size--;
        }

        private NodeEntry<?>[] flat() {
            NodeEntry<?>[] flat = new NodeEntry<?>[size];
            int length = 0;
            for (int i = 0; i <= last; i++) {
                NodeEntry<?>[] chunk = chunks.getPlain(i);
                System.arraycopy(chunk, 0, flat, length, chunk.length);
                length += chunk.length;
            }
            return flat;
        }
    }
}
