package winnow.broker.subscription;

/// Brings messages in parts to one connection, part by part as its socket takes them. Owned by the
/// connection's event loop.
public interface BodyStreams {
    /// Of a connection that gets none.
    BodyStreams NONE =
            new BodyStreams() {
                @Override
                public void begin(
                        Subscription subscription, byte[] head, int maxNameId, LiveBody body) {
                    throw new IllegalStateException(subscription + " gets no messages in parts");
                }

                @Override
                public boolean takes(Subscription subscription) {
                    return true;
                }

                @Override
                public void end(Subscription subscription) {}
            };

    /// True if a message may be begun now; if not, the subscription is told by
    /// [Subscription#onWritable] when it may.
    boolean takes(Subscription subscription);

    /// Begins to bring a message. The subscription, which gets nothing else meanwhile, is told by
    /// [Subscription#onBodyEnd] or [Subscription#onBodyGone].
    ///
    /// @param head its block up to the body; not to be changed
    /// @param maxNameId largest number of a property name in it
    void begin(Subscription subscription, byte[] head, int maxNameId, LiveBody body);

    /// The subscription has ended: it gets no more of its message.
    void end(Subscription subscription);
}
