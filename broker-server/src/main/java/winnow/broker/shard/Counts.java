package winnow.broker.shard;

/// Counts of what has happened to the messages of a destination since the shard was opened. Written
/// by the shard; read by its thread.
public final class Counts {
    long appended;
    long appendedBytes;
    long delivered;
    long redelivered;
    long acknowledged;
    long failed;
    long expired;
    long buried;
    long overflowed;
    long refused;
    long purged;
    long moved;
    long damaged;
    long deadLost;

    /// Nothing so far.
    public Counts() {}

    /// Adds all of the others to these.
    public void add(Counts others) {
        appended += others.appended;
        appendedBytes += others.appendedBytes;
        delivered += others.delivered;
        redelivered += others.redelivered;
        acknowledged += others.acknowledged;
        failed += others.failed;
        expired += others.expired;
        buried += others.buried;
        overflowed += others.overflowed;
        refused += others.refused;
        purged += others.purged;
        moved += others.moved;
        deadLost += others.deadLost;
    }

    /// Messages that came.
    public long appended() {
        return appended;
    }

    /// Bytes of their blocks.
    public long appendedBytes() {
        return appendedBytes;
    }

    /// Messages that went to consumers, each time that they did.
    public long delivered() {
        return delivered;
    }

    /// Of these, those that were marked as delivered before.
    public long redelivered() {
        return redelivered;
    }

    /// Messages that were acknowledged, once for each subscription.
    public long acknowledged() {
        return acknowledged;
    }

    /// Attempts that failed.
    public long failed() {
        return failed;
    }

    /// Messages that expired, once for each subscription.
    public long expired() {
        return expired;
    }

    /// Messages that went to the dead-letter queue.
    public long buried() {
        return buried;
    }

    /// Messages that went because there were too many, once for each subscription.
    public long overflowed() {
        return overflowed;
    }

    /// Messages, or transactions with such, that were refused because there were too many.
    public long refused() {
        return refused;
    }

    /// Messages that an operator removed, once for each subscription.
    public long purged() {
        return purged;
    }

    /// Messages that an operator moved to another queue, once for each subscription.
    public long moved() {
        return moved;
    }

    /// Dead letters that went from the dead-letter queue because they expired or were too many.
    public long deadLost() {
        return deadLost;
    }

    /// Messages that were put aside because they could not be read.
    public long damaged() {
        return damaged;
    }
}
