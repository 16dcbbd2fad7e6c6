package winnow.loadgen.run;

import com.fasterxml.jackson.annotation.JsonValue;

/// The part that kept a saturated point from being faster.
public enum Limit {
    /// A thread of the broker always had something to do.
    BROKER("broker"),
    /// A thread of the load always had something to do.
    CLIENT("client"),
    /// All processors of the machine, or all that broker and load may use, were in use, and broker
    /// or load had something to do most of the time: beside other work each waits for the other
    /// while that has no processor.
    PROCESSORS("processors"),
    /// Nothing was at its limit: broker and load waited for each other.
    NOTHING("nothing"),
    /// Too little is known of the threads or of the processors.
    UNKNOWN("unknown");

    /// Share of the time in which a thread ran or waited for a processor, from which on it had
    /// something to do nearly always: between two batches it waits for the other side. Saturated
    /// points have 0.9 to 1 on an idle machine with two processors (measured); with 100,000 paced
    /// messages a second a loop has 0.6, and never more with fewer.
    static final double THREAD = 0.85;

    /// The same where all processors are full.
    static final double THREAD_BESIDE_OTHERS = 0.6;

    /// Share of all processors, from which on they are full.
    static final double MACHINE = 0.95;

    private final String label;

    Limit(String label) {
        this.label = label;
    }

    /// @param ownShare what broker and load used of the processors that they may use, where these
    ///   are fewer than the machine has: they are full though the machine is not; 0 where they are
    ///   all
    static Limit of(Conditions conditions, boolean sharedMachine, double ownShare) {
        var broker = conditions.brokerThreadShare();
        var client = conditions.clientThreadShare();
        if (broker != null && broker >= THREAD) {
            return BROKER;
        }
        if (client != null && client >= THREAD) {
            return CLIENT;
        }
        if (broker == null || client == null || !sharedMachine) {
            return UNKNOWN;
        }
        if (Math.max(broker, client) < THREAD_BESIDE_OTHERS) {
            return NOTHING;
        }
        var used = conditions.machineBusyShare() + conditions.machineStolenShare();
        if (used >= MACHINE || ownShare >= MACHINE) {
            return PROCESSORS;
        }
        return Double.isNaN(used + ownShare) ? UNKNOWN : NOTHING;
    }

    /// The name in files.
    @JsonValue
    public String label() {
        return label;
    }
}
