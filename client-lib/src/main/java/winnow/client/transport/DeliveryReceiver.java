package winnow.client.transport;

/// Takes the messages of one subscription or of one consumer of a session. Called by who reads the
/// socket; must not block.
public interface DeliveryReceiver {
    /// One message.
    ///
    /// @param block the message block; the target may keep it and must not change it, other targets
    ///   may have the same array
    /// @param deliveryCount 1 on the first delivery
    /// @param frameBytes what the delivery cost of the subscription's credit
    void onDelivery(byte[] block, int deliveryCount, int frameBytes);

    /// One message of a session, which keeps it until it is acknowledged.
    ///
    /// @param block the message block; the target may keep it and must not change it
    /// @param delivery its id in the session; 0 for a browser
    /// @param earlierDeliveries how often it may have been delivered before
    void onStoredDelivery(byte[] block, long delivery, int earlierDeliveries);

    /// One message whose body follows in parts; a browser gets no parts. It takes the place of one
    /// that is not complete.
    ///
    /// @param head the message block up to the body; the target may keep it and must not change it
    /// @param delivery its id in the session; 0 for a browser, or a subscription without a session
    /// @param earlierDeliveries how often it may have been delivered before
    /// @param bodyBytes length of the body
    /// @return false if the target cannot keep it, and wants no part of it
    boolean onDeliveryInParts(byte[] head, long delivery, int earlierDeliveries, int bodyBytes);

    /// The next bytes of the body.
    ///
    /// @param array borrowed
    /// @return false if the target cannot keep the message, and wants no more of it
    boolean onDeliveryPart(byte[] array, int start, int end);

    /// A message was too long to be kept.
    ///
    /// @param delivery its id in the session, 0 for a subscription without one
    /// @param frameBytes what the delivery cost of a subscription's credit
    void onSkipped(long delivery, int frameBytes);

    /// The rest of the body does not come.
    void onDeliveryCut();

    /// Another consumer waits for what was not used.
    void onRecall();

    /// A browser has got everything that it was to see.
    void onBrowseEnd();

    /// The deliveries of one read are complete: the time to wake somebody up.
    void onBatchEnd();

    /// True if a thread of the target reads the socket by itself ([WireConnection#readUntil]) when
    /// it is told so and whenever it has nothing left to do. Any thread.
    boolean isReader();

    /// The reading is lent to a thread of the target, if no other takes it first.
    void onLent();
}
