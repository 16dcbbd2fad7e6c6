package winnow.client.transport;

/// A confirmed publish without an answer when its connection was lost.
///
/// @param number among the confirmed ones
public record UnansweredPublish(long number, PublishReply confirmation) {}
