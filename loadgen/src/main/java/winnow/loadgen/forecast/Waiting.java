package winnow.loadgen.forecast;

/// Distribution of the waiting time at one rate. Immutable.
public interface Waiting {

    /// Mean over all messages.
    double meanSeconds();

    /// The time that a share of the messages waits at most.
    ///
    /// @param probability the share, such as 0.99
    double quantileSeconds(double probability);
}
