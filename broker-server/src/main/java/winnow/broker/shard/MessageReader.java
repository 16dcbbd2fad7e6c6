package winnow.broker.shard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Reads messages that are not in memory any more from the log. Called by the shard; works on the
/// readers' threads.
final class MessageReader {
    /// A gap of so many sequences is read over; a longer one is jumped over by a new scan, which
    /// costs about as much as so many rows.
    private static final long MAX_GAP = 64;

    private final ShardLog log;
    private final Executor shard;
    private final Executor readers;

    MessageReader(ShardLog log, Executor shard, Executor readers) {
        this.log = log;
        this.shard = shard;
        this.readers = readers;
    }

    /// What was read. Those that are not there are in neither list.
    record Found(List<StoredMessage> messages, List<Damage> damaged) {
        Found() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /// Reads messages.
    ///
    /// @param sequences of them, in any order
    /// @param found called on the shard's thread
    /// @param failed called there instead if reading fails
    void read(
            StoredDestination destination,
            long[] sequences,
            Consumer<Found> found,
            Consumer<LogException> failed) {
        long[] wanted = sequences.clone();
        Arrays.sort(wanted);
        readers.execute(() -> {
            try {
                Found read = read(destination, wanted);
                shard.execute(() -> found.accept(read));
            } catch (LogException e) {
                shard.execute(() -> failed.accept(e));
            }
        });
    }

    /// Takes the head of a message. Called by the shard's thread.
    interface HeadConsumer {
        void onHead(long sequence, MessageRows.Head head);
    }

    /// Reads messages without their bodies.
    ///
    /// @param sequences of them, ascending; those that are not there are left out
    /// @param heads called on the shard's thread for each, then `done` with those that are damaged
    /// @param failed called there instead if reading fails
    void readHeads(
            StoredDestination destination,
            long[] sequences,
            HeadConsumer heads,
            Consumer<List<Damage>> done,
            Consumer<LogException> failed) {
        readers.execute(() -> {
            try {
                List<Damage> damaged = new ArrayList<>();
                Map<Long, MessageRows.Head> found = heads(destination, sequences, damaged);
                shard.execute(() -> {
                    found.forEach(heads::onHead);
                    done.accept(damaged);
                });
            } catch (LogException e) {
                shard.execute(() -> failed.accept(e));
            }
        });
    }

    private static void decodeHead(
            byte[] key, byte[] row, Map<Long, MessageRows.Head> found, List<Damage> damaged) {
        try {
            found.put(Keys.number(key), MessageRows.head(key, row));
        } catch (LogException e) {
            damaged.add(new Damage(Keys.number(key), String.valueOf(e.getMessage()), row, null));
        }
    }

    private Map<Long, MessageRows.Head> heads(
            StoredDestination destination, long[] sequences, List<Damage> damaged) {
        Map<Long, MessageRows.Head> found = new LinkedHashMap<>();
        log.scan(
                Table.HEADERS,
                Keys.of(destination.id(), sequences[0]),
                Keys.of(destination.id(), sequences[sequences.length - 1] + 1),
                (key, value) -> {
                    long sequence = Keys.number(key);
                    if (Arrays.binarySearch(sequences, sequence) >= 0) {
                        decodeHead(key, value, found, damaged);
                    }
                    return true;
                });
        return found;
    }

    private Found read(StoredDestination destination, long[] wanted) {
        Found found = new Found();
        int first = 0;
        while (first < wanted.length) {
            int last = first;
            while (last + 1 < wanted.length && wanted[last + 1] - wanted[last] <= MAX_GAP) {
                last++;
            }
            readRun(destination, Arrays.copyOfRange(wanted, first, last + 1), found);
            first = last + 1;
        }
        return found;
    }

    private void readRun(StoredDestination destination, long[] wanted, Found found) {
        byte[] from = Keys.of(destination.id(), wanted[0]);
        byte[] to = Keys.of(destination.id(), wanted[wanted.length - 1] + 1);
        Map<Long, byte[]> bodies = new HashMap<>();
        log.scan(
                Table.BODIES,
                from,
                to,
                (key, value) -> {
                    if (Arrays.binarySearch(wanted, Keys.number(key)) >= 0) {
                        bodies.put(Keys.number(key), value);
                    }
                    return true;
                });
        log.scan(
                Table.HEADERS,
                from,
                to,
                (key, value) -> {
                    long sequence = Keys.number(key);
                    if (Arrays.binarySearch(wanted, sequence) >= 0) {
                        decode(destination, key, value, bodies.get(sequence), found);
                    }
                    return true;
                });
    }

    private static void decode(
            StoredDestination destination,
            byte[] key,
            byte[] row,
            byte @Nullable [] body,
            Found found) {
        long sequence = Keys.number(key);
        try {
            MessageRows.Head head = MessageRows.head(key, row);
            byte[] block = MessageRows.block(key, head, body);
            StoredMessage message = new StoredMessage(destination, sequence, block, head.headers());
            message.stored = true;
            message.readable = true;
            found.messages.add(message);
        } catch (LogException e) {
            found.damaged.add(new Damage(sequence, String.valueOf(e.getMessage()), row, body));
        }
    }
}
