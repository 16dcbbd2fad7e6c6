package winnow.broker.session;

import winnow.broker.routing.Router;
import winnow.broker.subscription.Loop;

/// The event loop of connections.
public interface SessionLoop extends Loop {
    /// The router of this loop.
    Router router();

    /// Calls [ClientConnection#onBatchEnd] once at the end of the loop's current iteration, after
    /// what was routed has been handed over.
    void touch(ClientConnection connection);

    /// A message has come.
    ///
    /// @param routed whether the router gives it to live subscriptions, and counts it
    /// @param frameBytes of its frame, which is kept until it is handed over
    void onMessage(boolean routed, int frameBytes);

    /// A producer was answered that sent a single message, and probably sends the next at once.
    void onAnswered();
}
