package winnow.broker.storage;

import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.shard.Shard;

/// The thread that owns a shard: runs commands in the order in which they came, lets the shard
/// deliver and write what they changed, and tells the event loops. It waits only when there is
/// nothing to do. `execute` may be called by any thread.
final class ShardThread implements Executor {
    /// Commands between two flushes: enough for a write to be worth it, few enough that the first
    /// of them does not wait long; about a microsecond each.
    private static final int TURN = 1024;

    private static final long LOOK_MILLIS = 1000;
    private static final long MAX_WAIT_MILLIS = LOOK_MILLIS;

    private final Queue<Runnable> commands = new MpscUnboundedAtomicArrayQueue<>(TURN);
    private final FaultBarrier faults;
    private final LongSupplier millisClock;
    private final Outbox outbox = new Outbox(System::nanoTime);
    private final Thread thread = new Thread(this::run, "winnow-shard");
    private volatile boolean waiting;
    private volatile boolean stopping;
    private @Nullable Shard shard;
    private Runnable watch = () -> {};
    private Runnable look = () -> {};
    private Runnable afterTurn = () -> {};
    private long nextLookMillis;

    /// @param millisClock tells the time in milliseconds since 1970
    ShardThread(FaultBarrier faults, LongSupplier millisClock) {
        this.faults = faults;
        this.millisClock = millisClock;
        thread.setDaemon(true);
    }

    /// Begins to run commands, those that have come before first.
    ///
    /// @param newWatch called whenever the thread has done something, before others are told of it
    /// @param newLook called about each second
    /// @param newAfterTurn called whenever the thread has done something, when others were told
    void start(Shard newShard, Runnable newWatch, Runnable newLook, Runnable newAfterTurn) {
        shard = newShard;
        watch = newWatch;
        look = newLook;
        afterTurn = newAfterTurn;
        thread.start();
    }

    /// Another shard takes over. Shard's thread only.
    void use(Shard newShard) {
        shard = newShard;
    }

    /// What goes to the event loops. Shard's thread only.
    Outbox outbox() {
        return outbox;
    }

    boolean inThread() {
        return Thread.currentThread().equals(thread);
    }

    @Override
    public void execute(Runnable command) {
        commands.add(command);
        if (waiting) {
            LockSupport.unpark(thread);
        }
    }

    /// Runs what has come before, then ends. Blocks.
    ///
    /// @param timeoutMillis longest wait
    void stop(long timeoutMillis) {
        execute(() -> stopping = true);
        try {
            thread.join(timeoutMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopping) {
            long now = millisClock.getAsLong();
            Shard before = owned();
            faults.run(() -> before.onTime(now));
            boolean worked = runSome();
            faults.run(owned()::flush);
            faults.run(watch);
            if (now >= nextLookMillis) {
                nextLookMillis = now + LOOK_MILLIS;
                faults.run(look);
            }
            outbox.flush();
            faults.run(afterTurn);
            if (!worked) {
                await(owned().nextTime());
            }
        }
    }

    private Shard owned() {
        Shard owned = shard;
        if (owned == null) {
            throw new IllegalStateException("no shard");
        }
        return owned;
    }

    private boolean runSome() {
        int done = 0;
        while (done < TURN) {
            Runnable command = commands.poll();
            if (command == null) {
                break;
            }
            faults.run(command);
            done++;
        }
        return done > 0;
    }

    private void await(long untilMillis) {
        waiting = true;
        if (commands.isEmpty()) {
            long millis = Math.clamp(untilMillis - millisClock.getAsLong(), 0, MAX_WAIT_MILLIS);
            if (millis > 0) {
                LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(millis));
            }
        }
        waiting = false;
    }
}
