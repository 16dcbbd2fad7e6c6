package winnow.loadgen.run;

/// Messages that one TCP connection carried one way, without any broker. Immutable.
///
/// @param bodyBytes size of a message's body
/// @param messagesPerSecond as many as went through
public record SocketRate(int bodyBytes, double messagesPerSecond) {}
