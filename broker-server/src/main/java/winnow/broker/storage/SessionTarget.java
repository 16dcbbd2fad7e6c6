package winnow.broker.storage;

import winnow.broker.fault.FaultOwner;
import winnow.broker.subscription.Loop;

/// The connection of a session. Its methods are called on its event loop.
public interface SessionTarget extends FaultOwner {
    /// The loop that owns the connection. Any thread.
    Loop loop();

    /// Bytes on their way to it. Any thread.
    Flight flight();

    /// A message for a consumer. It is to be reported to [#flight] when the output has taken it.
    ///
    /// @param session the client's number for the session
    /// @param consumer the client's number for the consumer
    /// @param delivery its id in the session, 0 for a browser
    /// @param earlierDeliveries how often it was delivered before, at least
    /// @param block the message block; not to be changed
    /// @param maxNameId largest number of a property name that it may use
    void onDelivery(
            int session,
            int consumer,
            long delivery,
            int earlierDeliveries,
            byte[] block,
            int maxNameId);

    /// A message whose body follows in parts; a browser gets no parts. It is to be reported as
    /// others are.
    ///
    /// @param head the message block up to the body; not to be changed
    /// @param bodyBytes length of the body
    void onDeliveryInParts(
            int session,
            int consumer,
            long delivery,
            int earlierDeliveries,
            byte[] head,
            int maxNameId,
            int bodyBytes);

    /// The next part of a consumer's message. It is to be reported as messages are.
    ///
    /// @param part not to be changed
    void onPart(int session, int consumer, byte[] part);

    /// The rest of a consumer's message does not come.
    void onCut(int session, int consumer);

    /// Another consumer waits for what this one was sent ahead.
    void onRecall(int session, int consumer);

    /// The connection's sessions have been lost: it is to be closed.
    ///
    /// @param why for people
    void onAbandoned(String why);

    /// A browser has been sent everything.
    ///
    /// @param session the client's number for the session
    /// @param consumer the client's number for the browser
    void onBrowseEnd(int session, int consumer);
}
