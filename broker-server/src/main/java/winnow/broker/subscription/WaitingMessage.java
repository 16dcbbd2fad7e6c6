package winnow.broker.subscription;

/// A message that waits, as a view that is used again for the next one. It borrows the array.
final class WaitingMessage {
    private static final byte[] NONE = {};

    /// As [Loop#numberMessages] gave it.
    long number;

    byte[] array = NONE;

    /// Begin and end of the message's block.
    int start;

    int end;

    /// Largest number of a property name in it.
    int maxNameId;
}
