package winnow.loadgen.rate;

/// Outcome of a disturbance. Immutable.
///
/// @param kind of the disturbance
/// @param wanted so many in a second, or consumers
/// @param achieved so many in a second in the time that counts, or consumers that hung at its end
/// @param failed attempts in the time that counts, or consumers whose connection was lost
/// @param failure the first reason, empty for none
public record SideFigures(Kind kind, double wanted, double achieved, long failed, String failure) {

    /// Kind of a disturbance.
    public enum Kind {
        /// Connections that come, subscribe and leave.
        STORM,
        /// Selectors that come and go.
        CHURN,
        /// Consumers that hang.
        STALLED
    }
}
