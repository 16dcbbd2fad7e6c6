package winnow.client.acknowledge;

import java.util.List;
import winnow.client.message.WinnowMessage;
import winnow.client.receive.PrefetchWindow;

/// A consumer as the modes of acknowledgement see it: it gets room back in its window of prefetched
/// messages, and messages once more. Used by the session's thread of control where nothing else is
/// said.
public interface PrefetchConsumer {
    /// The window of prefetched messages. Guarded by the acknowledgement mode.
    PrefetchWindow window();

    /// Gives back the room of a message that is gone from here, so that the broker may send
    /// another. Guarded by the acknowledgement mode.
    void onConsumed(int frameBytes);

    /// Keeps a message that was delivered until it is acknowledged. Guarded by the acknowledgement
    /// mode.
    void onHeld(int frameBytes);

    /// Makes messages be delivered again, in front of all others.
    void putBack(List<WinnowMessage> messages);

    /// True if nothing has come that was not delivered.
    boolean isDrained();

    /// Forgets messages that have come, because the broker takes them back: those that it keeps.
    void discardStored();

    /// Notes that the broker has taken back what it had sent ahead.
    void onReturned();

    /// Takes the credit of a message that has gone back to the broker.
    void onGivenBack(int bytes);

    /// Undoes [#onGivenBack] for a message that was acknowledged before. Any thread.
    void onNotGivenBack(int bytes);
}
