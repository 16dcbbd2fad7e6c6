package winnow.broker.shard;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import winnow.broker.memory.HeapPart;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// The instances of clients that published last, each with the numbers of its publishes that were
/// taken: who comes back after a lost connection and sends some again is told which are there. The
/// numbers of what the log gets are in the same batch, in one row for each instance. When there are
/// too many, the owner with the most forgets those that published longest ago. Owned by the shard.
public final class Instances {
    /// An instance that has published nothing for so long needs no answer any more.
    static final long KEPT_MILLIS = TimeUnit.DAYS.toMillis(1);

    /// Instances that are forgotten together.
    static final int FORGOTTEN_TOGETHER = 64;

    /// Key of the row about what was forgotten.
    private static final byte[] FORGOTTEN = Keys.of(0);

    private final int limit;
    private final HeapPart heap;
    private final LongSupplier now;
    private final Map<InstanceKey, Instance> instances = new HashMap<>();
    private final Map<String, Owner> owners = new HashMap<>();

    /// Instances with numbers since the last [#write]; empty between two turns.
    private final List<Instance> changed = new ArrayList<>();

    private final WireWriter row = new WireWriter(64);

    /// Time at which one had to be forgotten whose owner is not known any more; 0 if none had.
    private long forgottenMillis;

    private long bytes;

    private static final class Instance {
        final InstanceKey key;
        final Owner owner;
        final PublishedNumbers numbers;
        long changedMillis;

        /// Tells if it is among those that have changed.
        boolean changed;

        /// Tells if the present batch gets a message of it.
        boolean stored;

        /// Tells if the log has a row of it.
        boolean inLog;

        Instance(InstanceKey key, Owner owner, PublishedNumbers numbers) {
            this.key = key;
            this.owner = owner;
            this.numbers = numbers;
        }

        long heapBytes() {
            return HeapCost.INSTANCE + numbers.heapBytes();
        }
    }

    /// A user, or the address of a client without one; without a name for those that were there
    /// when the shard was opened.
    private static final class Owner {
        final String name;

        /// The one that published longest ago comes first.
        final LinkedHashMap<InstanceKey, Instance> instances = new LinkedHashMap<>(4, 0.75F, true);

        /// Time at which one of them had to be forgotten; 0 if none had.
        long forgottenMillis;

        long bytes;

        Owner(String name) {
            this.name = name;
        }
    }

    /// @param limit so many are remembered
    /// @param heap above which fewer are remembered
    /// @param now the shard's time, in ms
    Instances(int limit, HeapPart heap, LongSupplier now) {
        this.limit = limit;
        this.heap = heap;
        this.now = now;
    }

    /// Publishes were taken.
    ///
    /// @param owner user or address that the instance counts for
    /// @param first their lowest number, at least 1; `last` their highest
    /// @param stored whether the log gets one of them with the present batch
    public void add(InstanceKey key, String owner, long first, long last, boolean stored) {
        Instance known = instances.get(key);
        if (known == null) {
            PublishedNumbers numbers = start(owner, first);
            known = new Instance(key, owners.computeIfAbsent(owner, Owner::new), numbers);
            put(known);
        }
        long before = known.numbers.heapBytes();
        known.numbers.add(first, last);
        grow(known.owner, known.numbers.heapBytes() - before);
        known.stored |= stored;
        if (!known.changed) {
            known.changed = true;
            changed.add(known);
        }
    }

    /// Knowledge of an instance that has no numbers: where it may have had some, nothing is known
    /// of those below.
    private PublishedNumbers start(String owner, long first) {
        return hasForgotten(owner) ? PublishedNumbers.from(first) : PublishedNumbers.none();
    }

    private boolean hasForgotten(String owner) {
        Owner known = owners.get(owner);
        long last = Math.max(forgottenMillis, known == null ? 0 : known.forgottenMillis);
        return last != 0 && now.getAsLong() - last <= KEPT_MILLIS;
    }

    private void put(Instance made) {
        instances.put(made.key, made);
        made.owner.instances.put(made.key, made);
        grow(made.owner, made.heapBytes());
    }

    private void grow(Owner owner, long more) {
        owner.bytes += more;
        bytes += more;
    }

    /// Finds what is known of the publishes of an instance.
    ///
    /// @param owner user or address that the instance counts for
    public PublishedNumbers find(InstanceKey key, String owner) {
        Instance known = instances.get(key);
        if (known != null) {
            return known.numbers.copy();
        }
        return hasForgotten(owner) ? PublishedNumbers.forgotten() : PublishedNumbers.none();
    }

    /// An instance has ended in order: nobody asks for it any more.
    public void end(Shard shard, InstanceKey key) {
        end(shard.journal().batch(), key);
    }

    void end(Batch batch, InstanceKey key) {
        Instance known = instances.get(key);
        if (known != null) {
            remove(batch, known);
            heap.follow(bytes);
        }
    }

    private void remove(Batch batch, Instance gone) {
        instances.remove(gone.key);
        Owner owner = gone.owner;
        owner.instances.remove(gone.key);
        grow(owner, -gone.heapBytes());
        // A later write must not bring it back.
        gone.stored = false;
        if (gone.inLog) {
            batch.delete(Table.INSTANCES, gone.key.row());
        }
        if (owner.instances.isEmpty()) {
            owners.remove(owner.name);
            forgottenMillis = Math.max(forgottenMillis, owner.forgottenMillis);
        }
    }

    /// Gives the batch what has changed since the last call, and forgets what is too much.
    void write(Batch batch) {
        if (changed.isEmpty()) {
            return;
        }
        for (Instance one : changed) {
            one.changed = false;
            one.changedMillis = now.getAsLong();
            // It becomes the youngest by that.
            if (one.equals(one.owner.instances.get(one.key))) {
                forgetOld(batch, one.owner);
            }
            if (one.stored) {
                one.stored = false;
                one.inLog = true;
                batch.put(Table.INSTANCES, one.key.row(), row(one));
            }
        }
        changed.clear();
        Owner found = owners.get("");
        if (found != null) {
            forgetOld(batch, found);
        }
        if (instances.size() >= limit + FORGOTTEN_TOGETHER || bytes > heap.availableBytes()) {
            forget(batch);
        }
        heap.follow(bytes);
    }

    private byte[] row(Instance one) {
        row.clear();
        row.writeLong(one.changedMillis);
        one.numbers.write(row);
        return row.toByteArray();
    }

    /// Forgets those of an owner that have published nothing for long: what they sent then has been
    /// given up.
    private void forgetOld(Batch batch, Owner owner) {
        long end = now.getAsLong() - KEPT_MILLIS;
        while (!owner.instances.isEmpty()) {
            Instance oldest = owner.instances.firstEntry().getValue();
            if (oldest.changedMillis > end || oldest.changed) {
                return;
            }
            remove(batch, oldest);
        }
    }

    /// Forgets some, and a few more, so that this is rare.
    private void forget(Batch batch) {
        long available = heap.availableBytes();
        long most = available - available / 16;
        while (instances.size() > limit || bytes > most) {
            Owner largest = largest();
            long enough = largest.bytes - Math.max(largest.bytes / 64, 1);
            largest.forgottenMillis = now.getAsLong();
            while (largest.bytes > enough && (instances.size() > limit || bytes > most)) {
                remove(batch, largest.instances.firstEntry().getValue());
            }
        }
        batch.put(
                Table.INSTANCES,
                FORGOTTEN,
                ByteBuffer.allocate(Long.BYTES).putLong(now.getAsLong()).array());
    }

    private Owner largest() {
        return owners.values().stream()
                .max(Comparator.comparingLong(owner -> owner.bytes))
                .orElseThrow();
    }

    /// A row was there when the shard was opened.
    ///
    /// @throws LogException if it is none
    void recover(byte[] key, byte[] value) {
        if (key.length == FORGOTTEN.length) {
            forgottenMillis = millis(new WireReader().wrap(value, 0, value.length));
            return;
        }
        Owner unknown = owners.computeIfAbsent("", Owner::new);
        changed.add(read(unknown, key, value));
    }

    /// All rows have been recovered.
    ///
    /// @param batch gets what is forgotten
    void onRecovered(Batch batch) {
        changed.sort(Comparator.comparingLong(one -> one.changedMillis));
        for (Instance one : changed) {
            put(one);
            // It need not be written again.
            one.changed = false;
        }
        changed.clear();
        if (instances.size() > limit || bytes > heap.availableBytes()) {
            forget(batch);
        }
        heap.follow(bytes);
    }

    private static Instance read(Owner owner, byte[] key, byte[] value) {
        WireReader in = new WireReader().wrap(value, 0, value.length);
        long millis = millis(in);
        Instance read = new Instance(InstanceKey.read(key), owner, PublishedNumbers.read(in));
        read.changedMillis = millis;
        read.inLog = true;
        return read;
    }

    private static long millis(WireReader in) {
        try {
            return in.readLong();
        } catch (WireException e) {
            throw new LogException(
                    LogException.Reason.CORRUPT, "an instance: " + e.getMessage(), e);
        }
    }

    /// Looks whether a row can be read.
    ///
    /// @throws LogException if it cannot
    static void check(byte[] key, byte[] value) {
        if (key.length == FORGOTTEN.length) {
            millis(new WireReader().wrap(value, 0, value.length));
        } else {
            read(new Owner(""), key, value);
        }
    }

    /// Instances that are remembered.
    int size() {
        return instances.size();
    }

    /// Bytes that they take of the heap.
    long bytes() {
        return bytes;
    }
}
