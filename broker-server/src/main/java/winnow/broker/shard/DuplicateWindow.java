package winnow.broker.shard;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.HeapPart;
import winnow.store.Batch;
import winnow.store.Table;

/// The identifiers of the messages and transactions that came last: who sends one again after a
/// lost connection gets the same answer, and nothing is stored twice. When there are too many, the
/// owner whose identifiers take the most forgets its oldest ones. Owned by the shard.
final class DuplicateWindow {
    static final byte[] KEY = "forgotten identifiers".getBytes(StandardCharsets.UTF_8);

    /// 2020-01-01, UTC.
    private static final long EPOCH_MILLIS = 1_577_836_800_000L;

    /// Identifiers that are forgotten together.
    private static final int FORGOTTEN_TOGETHER = 1024;

    private final int limit;
    private final HeapPart heap;
    private final LongSupplier now;
    private final Map<String, Identifier> numbers = new HashMap<>();

    /// Owners of these, by their names.
    private final Map<String, Owner> owners = new HashMap<>();

    private long next = 1;

    private long bytes;

    /// Time of the youngest that was forgotten of owners that are not known any more.
    private int forgottenSecond;

    /// The same of all owners, as the log has it.
    private int keptSecond;

    /// One that is remembered.
    private static final class Identifier {
        final String text;
        final long number;

        /// Time at which it came, in [#second].
        final int second;

        /// The next one of its owner.
        @Nullable Identifier newer;

        Identifier(String text, long number, int second) {
            this.text = text;
            this.number = number;
            this.second = second;
        }
    }

    /// A user, or the address of a client without one; without a name for those that were there
    /// when the shard was opened.
    private static final class Owner {
        final String name;
        @Nullable Identifier oldest;
        @Nullable Identifier newest;
        long bytes;

        /// Time of the youngest that was forgotten.
        int forgottenSecond;

        Owner(String name) {
            this.name = name;
        }

        void add(Identifier one) {
            Identifier last = newest;
            if (last == null) {
                oldest = one;
            } else {
                last.newer = one;
            }
            newest = one;
            bytes += heapBytes(one.text);
        }

        void removeOldest(Identifier one) {
            forgottenSecond = Math.max(forgottenSecond, one.second);
            oldest = one.newer;
            newest = oldest == null ? null : newest;
            bytes -= heapBytes(one.text);
        }
    }

    /// @param limit so many are remembered at least
    /// @param heap above which fewer are remembered
    /// @param now the shard's time, in ms
    DuplicateWindow(int limit, HeapPart heap, LongSupplier now) {
        this.limit = limit;
        this.heap = heap;
        this.now = now;
    }

    /// A time in seconds since [#EPOCH_MILLIS]: an int takes no more memory in [Identifier].
    private static int second(long millis) {
        return Math.clamp((millis - EPOCH_MILLIS) / 1000, 0, Integer.MAX_VALUE);
    }

    /// Bytes of heap that they take.
    long bytes() {
        return bytes;
    }

    private static long heapBytes(String id) {
        return HeapCost.IDENTIFIER + HeapCost.characters(id);
    }

    /// Remembers an identifier, if it is not empty and not known already.
    ///
    /// @param owner whose it is
    /// @param stored whether the log remembers it, too
    void add(Batch batch, String owner, String id, boolean stored) {
        if (id.isEmpty() || numbers.containsKey(id)) {
            return;
        }
        long number = next++;
        put(owner, id, number);
        if (stored) {
            batch.put(Table.DUPLICATES, Keys.of(0, number), id.getBytes(StandardCharsets.UTF_8));
        }
        if (numbers.size() >= limit + FORGOTTEN_TOGETHER || bytes > heap.availableBytes()) {
            forget(batch);
        }
    }

    private void put(String owner, String id, long number) {
        Identifier made = new Identifier(id, number, second(now.getAsLong()));
        if (numbers.putIfAbsent(id, made) == null) {
            owners.computeIfAbsent(owner, Owner::new).add(made);
            bytes += heapBytes(id);
            heap.follow(bytes);
        }
    }

    boolean contains(String id) {
        return numbers.containsKey(id);
    }

    /// Tells if an identifier that came at that time or later may have been forgotten.
    ///
    /// @param owner whose it would be
    boolean mayHaveForgotten(String owner, long millis) {
        Owner known = owners.get(owner);
        int last = Math.max(forgottenSecond, known == null ? 0 : known.forgottenSecond);
        return last > 0 && second(millis) <= last;
    }

    /// Forgets some, and a few more, so that this is rare.
    private void forget(Batch batch) {
        long available = heap.availableBytes();
        long most = available - available / 16;
        while (numbers.size() > limit || bytes > most) {
            Owner largest = largest();
            long enough = largest.bytes - Math.max(available / 64, 1);
            while (largest.bytes > enough && forgetOldest(batch, largest, most)) {}
            keptSecond = Math.max(keptSecond, largest.forgottenSecond);
        }
        heap.follow(bytes);
        batch.put(Table.META, KEY, Keys.of(keptSecond));
    }

    private Owner largest() {
        Owner largest = new Owner("");
        for (Owner owner : owners.values()) {
            if (owner.bytes > largest.bytes) {
                largest = owner;
            }
        }
        return largest;
    }

    /// @return whether there are more that have to be forgotten
    private boolean forgetOldest(Batch batch, Owner owner, long most) {
        Identifier oldest = owner.oldest;
        if (oldest == null) {
            return false;
        }
        owner.removeOldest(oldest);
        numbers.remove(oldest.text);
        bytes -= heapBytes(oldest.text);
        batch.delete(Table.DUPLICATES, Keys.of(0, oldest.number));
        if (owner.oldest == null) {
            owners.remove(owner.name);
            forgottenSecond = Math.max(forgottenSecond, owner.forgottenSecond);
        }
        return numbers.size() > limit || bytes > most;
    }

    /// Takes what the log says of those that were forgotten.
    ///
    /// @param row null if there is nothing
    /// @throws winnow.store.LogException if it is not that
    void recover(byte @Nullable [] row) {
        if (row != null) {
            keptSecond = Keys.onlyId(row, "forgotten identifiers");
            forgottenSecond = keptSecond;
        }
    }

    /// An identifier was there when the shard was opened; in the order in which they came.
    ///
    /// @param batch gets what is forgotten, because another heap had room for more
    void recover(Batch batch, byte[] key, byte[] row) {
        put("", new String(row, StandardCharsets.UTF_8), Keys.number(key));
        next = Keys.number(key) + 1;
        if (bytes > heap.availableBytes()) {
            forget(batch);
        }
    }
}
