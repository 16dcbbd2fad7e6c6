package winnow.cluster;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.RowConsumer;
import winnow.store.ShardLog;
import winnow.store.Table;

/// The log of the node that leads. Batches are complete when a majority of the nodes has them on
/// the disk and they are in this node's tables. What is read is read from these.
///
/// Batches that arrive while groups are under way are the next group. Several groups may be under
/// way; they are completed in their order. After the first one that fails, all do.
final class ClusterShardLog implements ShardLog {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterShardLog.class);

    /// Groups that wait for the majority: while one is on its way, the next ones are written.
    private static final int UNDER_WAY = 4;

    /// Entries without an answer before which nothing more is proposed: the engine refuses what is
    /// above its limit, and one transaction may be larger than that.
    static final long UNANSWERED_BYTES = 32L << 20;

    /// Longest wait of [#close] for what is under way: a majority that answers and does not write
    /// would keep the node from being stopped.
    private static final long CLOSE_SECONDS = 5;

    private final ReplicatedTables tables;
    private final Proposer proposer;
    private final Executor executor;
    private final long epoch;
    private final Runnable lost;
    private final LongConsumer appended;
    private final Thread thread = new Thread(this::run, "winnow-propose");

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Deque<Group> underWay = new ArrayDeque<>();
    private @Nullable LogException failure;
    private boolean closing;

    /// Bytes of entries without an answer. Guarded by the lock.
    private long unanswered;

    /// Number of the next entry. Of the thread.
    private long number;

    /// Gives entries to the replicated log, in the order of the calls.
    @FunctionalInterface
    interface Proposer {
        CompletableFuture<RaftClientReply> propose(ByteString entry);
    }

    /// @param since when the batch was given to the log, by [System#nanoTime]
    private record Waiting(Batch batch, Completion completion, long since) {}

    /// Batches that have been proposed together.
    private static final class Group {
        final List<Waiting> batches;

        /// Guarded by the lock.
        boolean done;

        Group(List<Waiting> batches) {
            this.batches = batches;
        }
    }

    /// @param epoch of this owner
    /// @param lost called when the log has failed
    /// @param appended gets the ns that each batch took until it was complete, under the lock
    ClusterShardLog(
            ReplicatedTables tables,
            Proposer proposer,
            Executor executor,
            long epoch,
            Runnable lost,
            LongConsumer appended) {
        this.lost = lost;
        this.appended = appended;
        this.tables = tables;
        this.proposer = proposer;
        this.executor = executor;
        this.epoch = epoch;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public void append(Batch batch, Durability durability, Completion completion) {
        Waiting next = new Waiting(batch, completion, System.nanoTime());
        LogException failed;
        lock.lock();
        try {
            failed = failure;
            if (failed == null && closing) {
                failed = new LogException(Reason.CLOSED, "the log has been closed");
            }
            if (failed == null) {
                waiting.add(next);
                change.signalAll();
                return;
            }
        } finally {
            lock.unlock();
        }
        complete(List.of(next), failed);
    }

    private void run() {
        try {
            for (Group group = nextGroup(); group != null; group = nextGroup()) {
                propose(group);
            }
        } catch (RuntimeException | Error e) {
            fail(new LogException(Reason.IO, "the thread of the log has died", e));
            throw e;
        }
    }

    /// Waits for batches and for room; null when there will be none.
    private @Nullable Group nextGroup() {
        lock.lock();
        try {
            while (failure == null
                    && (waiting.isEmpty() ? !closing : underWay.size() >= UNDER_WAY)) {
                change.awaitUninterruptibly();
            }
            if (failure != null || waiting.isEmpty()) {
                return null;
            }
            List<Waiting> batches = new ArrayList<>();
            long bytes = 0;
            while (!waiting.isEmpty()
                    && (bytes == 0
                            || bytes + waiting.peek().batch.bytes() <= RaftSettings.ENTRY_BYTES)) {
                Waiting next = waiting.remove();
                batches.add(next);
                bytes += next.batch.bytes();
            }
            Group group = new Group(batches);
            underWay.add(group);
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void propose(Group group) {
        ByteArrayOutputStream changes = new ByteArrayOutputStream();
        for (Waiting next : group.batches) {
            next.batch.encodeTo(changes);
        }
        byte[] bytes = changes.toByteArray();
        int room = RaftSettings.ENTRY_BYTES - ClusterEntry.HEADER_BYTES;
        int at = 0;
        for (; bytes.length - at > room; at += room) {
            propose(ClusterEntry.Kind.PART, bytes, at, at + room)
                    .whenComplete((reply, error) -> {
                        LogException failed = failure(reply, error);
                        if (failed != null) {
                            fail(failed);
                        }
                    });
        }
        propose(ClusterEntry.Kind.CHANGES, bytes, at, bytes.length)
                .whenComplete((reply, error) -> onAnswer(group, failure(reply, error)));
    }

    private CompletableFuture<RaftClientReply> propose(
            ClusterEntry.Kind kind, byte[] bytes, int from, int to) {
        LogException failed = awaitRoom(to - from);
        if (failed != null) {
            return CompletableFuture.failedFuture(failed);
        }
        return proposer.propose(ClusterEntry.encode(kind, epoch, number++, bytes, from, to))
                .whenComplete((_, _) -> release(to - from));
    }

    /// Takes bytes of an entry as without an answer, as soon as there is room for them.
    ///
    /// @return why the log has failed meanwhile; null if it has not
    private @Nullable LogException awaitRoom(int bytes) {
        lock.lock();
        try {
            while (failure == null && unanswered > 0 && unanswered + bytes > UNANSWERED_BYTES) {
                change.awaitUninterruptibly();
            }
            if (failure == null) {
                unanswered += bytes;
            }
            return failure;
        } finally {
            lock.unlock();
        }
    }

    private void release(int bytes) {
        lock.lock();
        try {
            unanswered -= bytes;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The reason why an entry has not taken effect, or perhaps not; null if it has.
    private static @Nullable LogException failure(
            @Nullable RaftClientReply reply, @Nullable Throwable error) {
        if (reply != null && reply.isSuccess()) {
            return reply.getMessage() != null
                            && reply.getMessage()
                                    .getContent()
                                    .equals(ReplicatedTables.REFUSED.getContent())
                    ? new LogException(Reason.FENCED, "another owner has taken the log")
                    : null;
        }
        Throwable cause = reply == null ? error : reply.getException();
        String what = "the cluster has not confirmed what was written";
        return cause == null
                ? new LogException(Reason.FENCED, what)
                : new LogException(Reason.FENCED, what, cause);
    }

    private void onAnswer(Group group, @Nullable LogException failed) {
        if (failed != null) {
            fail(failed);
            return;
        }
        lock.lock();
        try {
            long now = System.nanoTime();
            group.done = true;
            for (Group first = underWay.peek();
                    first != null && first.done;
                    first = underWay.peek()) {
                underWay.remove();
                first.batches.forEach(next -> appended.accept(now - next.since));
                // Under the lock, so that completions keep their order.
                complete(first.batches, null);
            }
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Fails everything that is not complete, and all that comes.
    void fail(LogException cause) {
        lock.lock();
        try {
            if (failure != null) {
                return;
            }
            failure = cause;
            List<Waiting> failed = new ArrayList<>();
            underWay.forEach(group -> failed.addAll(group.batches));
            failed.addAll(waiting);
            underWay.clear();
            waiting.clear();
            complete(failed, cause);
            change.signalAll();
        } finally {
            lock.unlock();
        }
        lost.run();
    }

    private void complete(List<Waiting> batches, @Nullable LogException failed) {
        try {
            executor.execute(() -> {
                for (Waiting next : batches) {
                    if (failed == null) {
                        next.completion.onWritten();
                    } else {
                        next.completion.onFailed(failed);
                    }
                }
            });
        } catch (RuntimeException e) {
            LOG.error("The executor of the log has failed or ended; completions may be lost", e);
        }
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        return tables.tables().get(table, key);
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, RowConsumer rows) {
        tables.tables().scan(table, from, to, rows);
    }

    @Override
    public void reclaim(Table table, byte[] from, byte[] to) {
        tables.tables().reclaim(table, from, to);
    }

    @Override
    public void checkpoint(Path directory) {
        tables.tables().checkpoint(directory);
    }

    /// Does nothing: the tables stay open, and their log is the cluster's. The lead must not wait
    /// for a disk that may be why it is moved.
    @Override
    public void flush() {}

    @Override
    public void shrink() {
        tables.tables().shrink();
    }

    @Override
    public void merging(boolean allowed) {
        tables.tables().merging(allowed);
    }

    /// Gives the log up. What is not confirmed within some seconds fails. The tables stay open: the
    /// node goes on following.
    @Override
    public void close() {
        if (!awaitAnswers()) {
            fail(
                    new LogException(
                            Reason.CLOSED, "the cluster has not confirmed what was under way"));
        }
    }

    /// Takes nothing more, and waits for the rest.
    ///
    /// @return false if it has not come in time
    private boolean awaitAnswers() {
        long left = TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        lock.lock();
        try {
            closing = true;
            change.signalAll();
            while (failure == null && !(waiting.isEmpty() && underWay.isEmpty())) {
                if (left <= 0) {
                    return false;
                }
                left = change.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
