package winnow.broker.storage;

import winnow.broker.shard.Browser;
import winnow.store.LogException;

/// The receiving end of one browser of a session. Owned by the shard's thread.
final class BrowserReceiver implements Browser.Receiver {
    private final SessionDeliveries deliveries;
    private final Flight flight;
    private final int consumer;

    /// @param flight of the connection
    /// @param consumer the client's number for the browser
    BrowserReceiver(SessionDeliveries deliveries, Flight flight, int consumer) {
        this.deliveries = deliveries;
        this.flight = flight;
        this.consumer = consumer;
    }

    @Override
    public boolean ready(Browser browser) {
        return flight.hasRoom(browser);
    }

    @Override
    public boolean takes(int blockBytes) {
        return flight.take(blockBytes);
    }

    @Override
    public void onMessage(long sequence, int earlierDeliveries, byte[] block, int maxNameId) {
        deliveries.send(consumer, 0, earlierDeliveries, block, maxNameId);
    }

    @Override
    public void onMessageInParts(
            long sequence, int earlierDeliveries, byte[] head, int maxNameId, int bodyBytes) {
        deliveries.sendInParts(consumer, 0, earlierDeliveries, head, maxNameId, bodyBytes);
    }

    @Override
    public void onEnd() {
        deliveries.endBrowsing(consumer);
    }

    /// It would look as if the queue had ended.
    @Override
    public void onFailed(LogException failure) {
        deliveries.abandon("a queue cannot be read: " + failure.getMessage());
    }
}
