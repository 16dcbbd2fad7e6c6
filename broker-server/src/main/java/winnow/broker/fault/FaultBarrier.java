package winnow.broker.fault;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a failure of a callback where it belongs. What the callback belongs to is closed, the
/// failure is counted and logged, and the caller goes on with the next callback; an error that no
/// process survives ends it ([FatalErrors]). Thread-safe.
public final class FaultBarrier {
    private static final Logger LOG = LoggerFactory.getLogger(FaultBarrier.class);

    /// A fault that every message brings must not fill the disk.
    private static final int ENTRIES_PER_MINUTE = 10;

    /// No constant of a method: that would be made at its first use, perhaps without memory for it.
    private static final Object NOBODY = "a task of the broker";

    private final LongAdder faults;
    private final LogQuota quota;

    /// @param faults counts the failures
    public FaultBarrier(LongAdder faults, LongSupplier nanoClock) {
        FatalErrors.prepare();
        this.faults = faults;
        this.quota = new LogQuota(nanoClock, ENTRIES_PER_MINUTE, TimeUnit.MINUTES.toNanos(1));
    }

    public FaultBarrier(LongAdder faults) {
        this(faults, System::nanoTime);
    }

    /// Runs a callback that belongs to `owner`.
    public void run(FaultOwner owner, Runnable callback) {
        try {
            callback.run();
        } catch (Throwable fault) {
            onFault(owner, fault);
        }
    }

    /// Runs a callback that belongs to nobody who could be closed.
    public void run(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable fault) {
            onFault(fault);
        }
    }

    /// A callback of `owner` failed.
    public void onFault(FaultOwner owner, Throwable fault) {
        report(owner, fault);
        try {
            owner.onFault(fault);
        } catch (Throwable second) {
            report(owner, second);
        }
    }

    /// A callback failed that belongs to nobody who could be closed.
    public void onFault(Throwable fault) {
        report(NOBODY, fault);
    }

    private void report(Object owner, Throwable fault) {
        FatalErrors.endIfFatal(fault);
        faults.increment();
        quota.log(leftOut -> LOG.error("Fault of the broker in {}{}", owner, leftOut, fault));
    }
}
