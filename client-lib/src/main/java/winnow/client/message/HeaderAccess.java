package winnow.client.message;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowDestination;
import winnow.client.destination.WinnowTopic;
import winnow.wire.DestinationKind;
import winnow.wire.MessageBlock;
import winnow.wire.WireException;
import winnow.wire.WireReader;

/// Headers of a message (Jakarta Messaging 3.1, 3.4). Those of a received message are decoded when
/// the first of them, a property or the body is asked for; a block that is damaged makes that
/// question fail with MessageFormatException.
abstract class HeaderAccess implements Message {
    /// The block that was received, null in a message made here. Never changed.
    final byte @Nullable [] block;

    final @Nullable MessageOrigin origin;
    private final int frameBytes;
    private final int deliveryCount;
    private long deliveryId;

    /// Bytes of a body that the broker keeps to itself, because the message is shown by a browser;
    /// -1 if it has come.
    private int absentBytes = -1;

    private boolean packed;
    private int bodyIndex;

    private @Nullable String messageId;
    private long idConnection;
    private long idSequence;
    private long timestamp;
    private long expiration;
    private long deliveryTime;
    private int priority = MessageBlock.DEFAULT_PRIORITY;
    private int deliveryMode = DeliveryMode.PERSISTENT;
    private boolean redelivered;
    private @Nullable String correlationId;
    private @Nullable String type;
    private @Nullable Destination destination;
    private @Nullable Destination replyTo;

    /// A message made by the application.
    HeaderAccess() {
        block = null;
        origin = null;
        frameBytes = 0;
        deliveryCount = 0;
    }

    /// A received message.
    ///
    /// @param deliveryCount 1 on the first delivery
    HeaderAccess(byte[] block, MessageOrigin origin, int frameBytes, int deliveryCount) {
        this.block = block;
        this.origin = origin;
        this.frameBytes = frameBytes;
        this.deliveryCount = deliveryCount;
        redelivered = deliveryCount > 1;
        destination = origin.destination();
        packed = true;
    }

    /// Cost of the message to its consumer's credit: bytes of the frame that brought it, or of the
    /// block if the broker keeps it.
    public final int frameBytes() {
        return frameBytes;
    }

    /// Number of the delivery in its session, 0 if the broker does not keep the message.
    public final long deliveryId() {
        return deliveryId;
    }

    final void deliveryId(long id) {
        deliveryId = id;
    }

    final void absentBytes(int bytes) {
        absentBytes = bytes;
    }

    /// Bytes of a body that does not come, -1 if it has.
    final int absentBytes() {
        return absentBytes;
    }

    /// Value of JMSXDeliveryCount; 0 in a message that was not received.
    public final int deliveryCount() {
        return deliveryCount;
    }

    /// The priority by which a message that was received has its place among others; that of a
    /// damaged block is the usual one.
    public final int arrivalPriority() {
        if (block == null || block.length < 2 || (block[1] & MessageBlock.HAS_PRIORITY) == 0) {
            return MessageBlock.DEFAULT_PRIORITY;
        }
        try {
            return MessageBlock.priority(block);
        } catch (WireException e) {
            return MessageBlock.DEFAULT_PRIORITY;
        }
    }

    /// True if the message's time to live is over.
    ///
    /// @param nowMillis milliseconds since 1970
    public final boolean isExpiredAt(long nowMillis) throws JMSException {
        if (block != null && block.length > 1 && (block[1] & MessageBlock.HAS_EXPIRATION) == 0) {
            return false;
        }
        unpack();
        return expiration != 0 && expiration <= nowMillis;
    }

    /// Called when a part of the block that is cached for sending changes.
    abstract void onHeadChanged();

    final void unpack() throws MessageFormatException {
        if (packed && block != null) {
            try {
                unpack(block);
                packed = false;
            } catch (WireException e) {
                throw damaged(e);
            }
        }
    }

    static MessageFormatException damaged(WireException cause) {
        MessageFormatException damaged =
                new MessageFormatException("received message: " + cause.getMessage());
        damaged.initCause(cause);
        return damaged;
    }

    private void unpack(byte[] received) {
        MessageBlock view = new MessageBlock();
        view.parse(received, 0, received.length);
        if (view.has(MessageBlock.HAS_MESSAGE_ID)) {
            idConnection = view.messageConnectionId();
            idSequence = view.messageSequence();
        }
        timestamp = view.timestamp();
        priority = view.priority();
        expiration = view.expiration();
        deliveryTime = view.has(MessageBlock.HAS_DELIVERY_TIME) ? view.deliveryTime() : timestamp;
        deliveryMode = view.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
        if (view.correlationIdLength() >= 0) {
            correlationId =
                    CorrelationIdBytes.decode(
                            received, view.correlationIdIndex(), view.correlationIdLength());
        }
        if (view.typeLength() >= 0) {
            type = text(received, view.typeIndex(), view.typeLength());
        }
        WireReader in = new WireReader();
        if (view.has(MessageBlock.HAS_REPLY_TO)) {
            in.wrap(received, view.replyToIndex(), received.length);
            replyTo = WinnowDestination.of(DestinationKind.read(in), in.readString());
        }
        bodyIndex = view.bodyIndex();
    }

    private static String text(byte[] source, int index, int length) {
        return new String(source, index, length, StandardCharsets.UTF_8);
    }

    /// Index at which the received body begins; it ends with the block.
    ///
    /// @throws MessageFormatException if the block is damaged, or the body has not come
    final int bodyIndex() throws MessageFormatException {
        unpack();
        if (absentBytes >= 0) {
            throw new MessageFormatException(
                    "a browser shows the headers of so large a message only: its body has "
                            + absentBytes
                            + " bytes");
        }
        return bodyIndex;
    }

    /// Sets JMSMessageID to `ID:connection-sequence`, put together when it is asked for.
    ///
    /// @param sequence 0 for no message id
    public final void assignId(long connection, long sequence) {
        idConnection = connection;
        idSequence = sequence;
        messageId = null;
    }

    final long idConnection() {
        return idConnection;
    }

    /// Number of the message in its id, 0 for none that [#assignId] has set.
    public final long idSequence() {
        return idSequence;
    }

    @Override
    public final @Nullable String getJMSMessageID() throws JMSException {
        unpack();
        if (messageId == null && idSequence != 0) {
            messageId = "ID:" + HexFormat.of().toHexDigits(idConnection) + "-" + idSequence;
        }
        return messageId;
    }

    @Override
    public final void setJMSMessageID(@Nullable String id) throws JMSException {
        unpack();
        idSequence = 0;
        messageId = id;
    }

    @Override
    public final long getJMSTimestamp() throws JMSException {
        unpack();
        return timestamp;
    }

    @Override
    public final void setJMSTimestamp(long timestamp) throws JMSException {
        unpack();
        this.timestamp = timestamp;
    }

    /// The correlation ID as it was set as bytes, or in UTF-8.
    ///
    /// @throws MessageFormatException if it holds half a surrogate pair that stands for no byte
    @Override
    public final byte @Nullable [] getJMSCorrelationIDAsBytes() throws JMSException {
        unpack();
        return correlationId == null ? null : CorrelationIdBytes.encode(correlationId);
    }

    /// Sets the correlation ID to any bytes, which travel as they are. As a string they are read as
    /// UTF-8; a byte that is none of it is U+DC00 plus the byte.
    @Override
    public final void setJMSCorrelationIDAsBytes(byte @Nullable [] correlationId)
            throws JMSException {
        setJMSCorrelationID(
                correlationId == null
                        ? null
                        : CorrelationIdBytes.decode(correlationId, 0, correlationId.length));
    }

    @Override
    public final @Nullable String getJMSCorrelationID() throws JMSException {
        unpack();
        return correlationId;
    }

    @Override
    public final void setJMSCorrelationID(@Nullable String correlationId) throws JMSException {
        unpack();
        this.correlationId = correlationId;
        onHeadChanged();
    }

    @Override
    public final @Nullable Destination getJMSReplyTo() throws JMSException {
        unpack();
        return replyTo;
    }

    /// Sets where replies are to be sent.
    ///
    /// @throws jakarta.jms.InvalidDestinationException if it is no destination, or carries a
    ///   correlation-ID filter
    @Override
    public final void setJMSReplyTo(@Nullable Destination replyTo) throws JMSException {
        unpack();
        WinnowDestination adopted = replyTo == null ? null : WinnowDestination.adopt(replyTo);
        this.replyTo = adopted instanceof WinnowTopic topic ? topic.requireNoFilter() : adopted;
        onHeadChanged();
    }

    @Override
    public final @Nullable Destination getJMSDestination() {
        return destination;
    }

    @Override
    public final void setJMSDestination(@Nullable Destination destination) {
        this.destination = destination;
    }

    @Override
    public final int getJMSDeliveryMode() throws JMSException {
        unpack();
        return deliveryMode;
    }

    @Override
    public final void setJMSDeliveryMode(int deliveryMode) throws JMSException {
        unpack();
        this.deliveryMode = deliveryMode;
    }

    @Override
    public final boolean getJMSRedelivered() {
        return redelivered;
    }

    @Override
    public final void setJMSRedelivered(boolean redelivered) {
        this.redelivered = redelivered;
    }

    @Override
    public final @Nullable String getJMSType() throws JMSException {
        unpack();
        return type;
    }

    @Override
    public final void setJMSType(@Nullable String type) throws JMSException {
        unpack();
        this.type = type;
        onHeadChanged();
    }

    @Override
    public final long getJMSExpiration() throws JMSException {
        unpack();
        return expiration;
    }

    @Override
    public final void setJMSExpiration(long expiration) throws JMSException {
        unpack();
        this.expiration = expiration;
    }

    @Override
    public final long getJMSDeliveryTime() throws JMSException {
        unpack();
        return deliveryTime;
    }

    @Override
    public final void setJMSDeliveryTime(long deliveryTime) throws JMSException {
        unpack();
        this.deliveryTime = deliveryTime;
    }

    @Override
    public final int getJMSPriority() throws JMSException {
        unpack();
        return priority;
    }

    @Override
    public final void setJMSPriority(int priority) throws JMSException {
        unpack();
        this.priority = priority;
    }

    /// Origin of the message, which has to have been received.
    public final MessageOrigin origin() {
        return Objects.requireNonNull(origin, "the message was not received");
    }

    /// Tells if it has come with that origin.
    @SuppressWarnings("ReferenceEquality") // Two may be equal and belong to two connections.
    public final boolean isOf(MessageOrigin other) {
        return origin == other;
    }

    @Override
    public final void acknowledge() throws JMSException {
        if (origin != null) {
            origin.acknowledgement().acknowledge();
        }
    }
}
