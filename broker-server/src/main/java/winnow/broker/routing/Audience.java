package winnow.broker.routing;

/// Subscriptions that a match is for.
public enum Audience {
    /// Live subscriptions get the message, and the stored ones that want it are found.
    LIVE_AND_STORED,

    /// Stored subscriptions that want the message are found; live ones are counted only.
    STORED_ONLY
}
