package winnow.cluster;

/// Says why a change of the cluster was not made.
public final class ClusterChangeException extends Exception {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    /// Kind of the obstacle.
    public enum Reason {
        /// The cluster has no node of that name, or there is no cluster.
        UNKNOWN_NODE,

        /// The state of the nodes speaks against it. Nothing has changed.
        CONFLICT,

        /// The node that was asked does not lead, or reaches no majority.
        NOT_LEADING,

        /// It was tried, and not done in time.
        FAILED
    }

    public ClusterChangeException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
