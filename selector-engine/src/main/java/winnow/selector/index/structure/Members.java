package winnow.selector.index.structure;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// A set without order that one thread changes while any number of threads read it. Most sets are
/// tiny, so the content has a few forms and no object around it; the owner of the set keeps the
/// content in a volatile field:
///
/// ```
/// nothing: null     one: the member     up to 256: Member[]     more: Chunks of about 64
/// ```
///
/// A change copies the array or one chunk. 256: copying that many references takes about 100 ns,
/// and 1000 take 0.7 us.
public final class Members {

    private static final int MAX_FLAT = 256;

    private static final int MAX_CHUNK = 64;
    private static final Member[] EMPTY = {};

    private Members() {}

    /// The content with one more, which it must not hold yet.
    public static Object with(@Nullable Object content, Member member) {
        return switch (content) {
            case null -> member;
            case Member[] flat -> {
                if (flat.length < MAX_FLAT) {
                    yield append(flat, member);
                }
                Chunks chunks = new Chunks(2 * MAX_FLAT / MAX_CHUNK);
                for (Member each : flat) {
                    chunks.add(each);
                }
                chunks.add(member);
                yield chunks;
            }
            case Chunks chunks -> {
                Chunks fitting = chunks.isFull() ? chunks.resized(2 * chunks.count()) : chunks;
                fitting.add(member);
                yield fitting;
            }
            default -> new Member[] {(Member) content, member};
        };
    }

    /// The content with one less, which it must hold.
    public static @Nullable Object without(@Nullable Object content, Member member) {
        return switch (content) {
            case null -> throw new IllegalStateException("not in the set");
            case Member[] flat -> {
                Member[] fewer = remove(flat, member);
                yield fewer.length == 1 ? fewer[0] : fewer;
            }
            case Chunks chunks -> {
                chunks.remove(member);
                yield chunks.size() <= MAX_FLAT / 2 ? chunks.flat() : chunks;
            }
            default -> null;
        };
    }

    public static int size(@Nullable Object content) {
        return switch (content) {
            case null -> 0;
            case Member[] flat -> flat.length;
            case Chunks chunks -> chunks.size();
            default -> 1;
        };
    }

    private static Member[] append(Member[] members, Member member) {
        Member[] more = Arrays.copyOf(members, members.length + 1);
        more[members.length] = member;
        return more;
    }

    @SuppressWarnings("ReferenceEquality") // Members are equal by identity.
    private static Member[] remove(Member[] members, Member member) {
        int at = 0;
        while (members[at] != member) {
            at++;
        }
        Member[] fewer = new Member[members.length - 1];
        System.arraycopy(members, 0, fewer, 0, at);
        System.arraycopy(members, at + 1, fewer, at, fewer.length - at);
        return fewer;
    }

    /// Small arrays, found by a member's number.
    public static final class Chunks {

        private final AtomicReferenceArray<Member[]> chunks;
        private int size;

        Chunks(int count) {
            this.chunks = new AtomicReferenceArray<>(count);
            for (int i = 0; i < count; i++) {
                chunks.setPlain(i, EMPTY);
            }
        }

        public int count() {
            return chunks.length();
        }

        /// Borrowed: never change it.
        public Member[] chunk(int i) {
            return chunks.getAcquire(i);
        }

        private int size() {
            return size;
        }

        private boolean isFull() {
            return size >= chunks.length() * MAX_CHUNK;
        }

        private void add(Member member) {
            int i = indexOf(member);
            chunks.setRelease(i, append(chunks.getPlain(i), member));
            size++;
        }

        private void remove(Member member) {
            int i = indexOf(member);
            chunks.setRelease(i, Members.remove(chunks.getPlain(i), member));
            size--;
        }

        private Chunks resized(int count) {
            Chunks resized = new Chunks(count);
            for (int i = 0; i < chunks.length(); i++) {
                for (Member member : chunks.getPlain(i)) {
                    resized.add(member);
                }
            }
            return resized;
        }

        private Member[] flat() {
            Member[] flat = new Member[size];
            int length = 0;
            for (int i = 0; i < chunks.length(); i++) {
                Member[] chunk = chunks.getPlain(i);
                System.arraycopy(chunk, 0, flat, length, chunk.length);
                length += chunk.length;
            }
            return flat;
        }

        /// Counts are powers of two; neighbouring numbers go to different chunks.
        private int indexOf(Member member) {
            return member.number() & (chunks.length() - 1);
        }
    }
}
