package winnow.broker.subscription;

/// Publishes a message whose time has come. Immutable.
///
/// @param queue number of the queue where it has waited
/// @param sequence of the message in that queue
public record DelayedMessage(int queue, long sequence) implements Publisher {}
