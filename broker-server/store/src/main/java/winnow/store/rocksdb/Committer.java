package winnow.store.rocksdb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.LogException.Reason;

/// Writes batches in groups: what arrives while a group is written is the next group. So a disk
/// that syncs 4,000 times a second carries far more than 4,000 batches, and a lone batch never
/// waits for others.
///
/// Any thread appends; its own thread writes and hands completions to the executor. After the first
/// failure it writes no more, and every batch fails.
final class Committer {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
    private static final AtomicInteger THREADS = new AtomicInteger();

    private final GroupWriter writer;
    private final Executor executor;
    private final int groupBytes;
    private final long idleNanos;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private boolean closing;
    private boolean ended;

    /// Of its own thread.
    private @Nullable LogException failure;

    /// Writes a group of batches, in their order, so that all or none are there after a crash.
    interface GroupWriter {
        /// @throws LogException if it is not certain that the group is as durable as asked for
        void write(List<Batch> group, Durability durability);

        /// Nothing has come for a while.
        ///
        /// @throws LogException if no more can be written
        void onIdle();
    }

    private record Waiting(Batch batch, Durability durability, Completion completion) {}

    /// @param groupBytes size above which a group takes no more batches
    /// @param idleNanos time without batches after which the writer is told of it
    Committer(GroupWriter writer, Executor executor, int groupBytes, long idleNanos) {
        this.idleNanos = idleNanos;
        this.writer = writer;
        this.executor = executor;
        this.groupBytes = groupBytes;
        thread = new Thread(this::run, "winnow-commit-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void append(Batch batch, Durability durability, Completion completion) {
        lock.lock();
        try {
            if (!ended) {
                waiting.add(new Waiting(batch, durability, completion));
                if (waiting.size() == 1) {
                    change.signal();
                }
                return;
            }
        } finally {
            lock.unlock();
        }
        LogException closed = new LogException(Reason.CLOSED, "the log has been closed");
        execute(() -> completion.onFailed(closed));
    }

    /// Completes what was appended, then ends.
    ///
    /// @return whether nothing has failed
    boolean close() {
        if (thread.equals(Thread.currentThread())) {
            throw new IllegalStateException("a completion closes the log on the log's own thread");
        }
        lock.lock();
        try {
            closing = true;
            change.signal();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return failure == null;
    }

    private void run() {
        List<Waiting> group = List.of();
        try {
            for (group = nextGroup(); !group.isEmpty(); group = nextGroup()) {
                commit(group);
                group = List.of();
            }
        } finally {
            end(group);
        }
    }

    /// Waits for batches; an empty list when there will be none.
    private List<Waiting> nextGroup() {
        if (isIdle() && failure == null) {
            failure = attempt(writer::onIdle);
        }
        List<Waiting> group = new ArrayList<>();
        lock.lock();
        try {
            while (waiting.isEmpty() && !closing) {
                change.awaitUninterruptibly();
            }
            long bytes = 0;
            while (!waiting.isEmpty() && bytes < groupBytes) {
                Waiting next = waiting.remove();
                group.add(next);
                bytes += next.batch.bytes();
            }
            ended = group.isEmpty();
            return group;
        } finally {
            lock.unlock();
        }
    }

    /// True if nothing comes for some time.
    private boolean isIdle() {
        lock.lock();
        try {
            long left = idleNanos;
            while (waiting.isEmpty() && !closing && left > 0) {
                left = change.awaitNanos(left);
            }
            return waiting.isEmpty() && !closing;
        } catch (InterruptedException e) {
            // Nobody wants this thread to end so.
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void commit(List<Waiting> group) {
        if (failure == null) {
            failure = write(group);
        }
        complete(group, failure);
    }

    private @Nullable LogException write(List<Waiting> group) {
        List<Batch> batches = new ArrayList<>(group.size());
        Durability durability = Durability.WRITTEN;
        for (Waiting next : group) {
            batches.add(next.batch);
            if (next.durability == Durability.SYNCED) {
                durability = Durability.SYNCED;
            }
        }
        Durability most = durability;
        return attempt(() -> writer.write(batches, most));
    }

    private static @Nullable LogException attempt(Runnable writing) {
        try {
            writing.run();
            return null;
        } catch (LogException e) {
            LOG.error("The log takes no more: {}", e.getMessage(), e);
            return e;
        } catch (RuntimeException e) {
            LOG.error("The log takes no more, because of an error in the broker", e);
            return new LogException(Reason.IO, "writing a batch failed: " + e, e);
        }
    }

    /// Hands a group to the executor as one task: a wake-up of its thread costs more than many
    /// completions.
    private void complete(List<Waiting> group, @Nullable LogException failed) {
        execute(() -> runCompletions(group, failed));
    }

    private static void runCompletions(List<Waiting> group, @Nullable LogException failed) {
        RuntimeException first = null;
        for (Waiting next : group) {
            try {
                if (failed == null) {
                    next.completion.onWritten();
                } else {
                    next.completion.onFailed(failed);
                }
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RuntimeException e) {
            LOG.error("The executor of the log has failed or ended; completions may be lost", e);
        }
    }

    /// In the normal case nothing is left. After an error such as a used-up heap, nobody may wait
    /// for ever.
    private void end(List<Waiting> group) {
        List<Waiting> left = new ArrayList<>(group);
        lock.lock();
        try {
            ended = true;
            left.addAll(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        if (!left.isEmpty()) {
            failure = new LogException(Reason.IO, "the thread of the log has died");
            complete(left, failure);
        }
    }
}
