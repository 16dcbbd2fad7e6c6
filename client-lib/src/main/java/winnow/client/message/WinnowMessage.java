package winnow.client.message;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowDestination;
import winnow.wire.BodyType;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyCursor;
import winnow.wire.WireException;
import winnow.wire.WireWriter;

/// A message without a body, and what all messages have in common.
///
/// Sending asks [#prepare] first, which brings the cached parts up to date: the head (correlation
/// ID, type, reply-to, properties) and the body. [#writeBlock] then writes the headers of this send
/// and copies those parts, so a message that is sent again costs no more than its bytes.
public class WinnowMessage extends HeaderAccess {
    /// Bytes of the headers in front of the head at most: flags, presence, id, four numbers.
    private static final int MAX_FIXED_BYTES = 2 + 8 + 9 + 8 + 1 + 8 + 8;

    private static final byte[] EMPTY = {};

    private @Nullable Map<String, @Nullable Object> properties;
    private boolean propertiesWritable = true;
    private boolean bodyWritable = true;

    private byte @Nullable [] head;
    private int headPresence;
    private boolean headHasNames;
    private boolean headHasInlineNames;
    private @Nullable NameTable headNames;
    private int headNamesVersion;

    /// A message made by the application.
    public WinnowMessage() {}

    /// A received message.
    WinnowMessage(byte[] block, MessageOrigin origin, int frameBytes, int deliveryCount) {
        super(block, origin, frameBytes, deliveryCount);
        propertiesWritable = false;
        bodyWritable = false;
    }

    /// Which body the message has on the wire.
    BodyType bodyType() {
        return BodyType.NONE;
    }

    /// Brings what [#bodyArray] and its companions return up to date.
    void prepareBody() throws JMSException {}

    /// The array with the encoded body.
    byte[] bodyArray() throws JMSException {
        return EMPTY;
    }

    int bodyOffset() throws JMSException {
        return 0;
    }

    int bodyLength() throws JMSException {
        return 0;
    }

    /// Bytes of the body. Needs [#prepare].
    public long bodyBytes() throws JMSException {
        return bodyLength();
    }

    /// Copies some bytes of the body. Needs [#prepare].
    ///
    /// @param from index of the first in the body
    public void copyBody(long from, byte[] to, int count) throws JMSException {
        System.arraycopy(bodyArray(), bodyOffset() + (int) from, to, 0, count);
    }

    /// Writes the body.
    void writeBody(WireWriter out) throws JMSException {
        int bodyLength = bodyLength();
        if (bodyLength > 0) {
            out.writeRaw(bodyArray(), bodyOffset(), bodyLength);
        }
    }

    boolean isBodyNull() throws JMSException {
        return false;
    }

    /// Makes the parts of the block that outlive a send. Called by the sending thread before
    /// [#writeBlock], outside of any lock.
    public final void prepare(NameTable names) throws JMSException {
        unpack();
        prepareBody();
        boolean stale =
                head == null
                        || (headHasNames && headNames != names)
                        || (headHasInlineNames && headNamesVersion != names.version());
        if (stale) {
            encodeHead(names);
        }
    }

    /// Bytes that [#writeBlock] writes at most.
    public final long maxBlockBytes() throws JMSException {
        return (long) MAX_FIXED_BYTES + (head == null ? 0 : head.length) + bodyBytes();
    }

    /// Bytes that [#writeHead] writes at most.
    public final long maxHeadBytes() throws JMSException {
        return maxBlockBytes() - bodyBytes();
    }

    /// Writes the message block (docs/PROTOCOL.md, 6). Needs [#prepare].
    public final void writeBlock(WireWriter out) throws JMSException {
        writeHead(out);
        writeBody(out);
    }

    /// Writes the message block up to the body. Needs [#prepare].
    public final void writeHead(WireWriter out) throws JMSException {
        byte[] encodedHead = head == null ? EMPTY : head;
        int priority = getJMSPriority();
        long sequence = idSequence();
        long timestamp = getJMSTimestamp();
        long expiration = getJMSExpiration();
        long deliveryTime = getJMSDeliveryTime();
        boolean delayed = deliveryTime != 0 && deliveryTime != timestamp;
        int presence =
                headPresence
                        | (sequence != 0 ? MessageBlock.HAS_MESSAGE_ID : 0)
                        | (timestamp != 0 ? MessageBlock.HAS_TIMESTAMP : 0)
                        | (priority != MessageBlock.DEFAULT_PRIORITY
                                ? MessageBlock.HAS_PRIORITY
                                : 0)
                        | (expiration != 0 ? MessageBlock.HAS_EXPIRATION : 0)
                        | (delayed ? MessageBlock.HAS_DELIVERY_TIME : 0);
        out.writeByte(flags());
        out.writeByte(presence);
        if (sequence != 0) {
            out.writeLong(idConnection());
            out.writeVarlong(sequence);
        }
        if (timestamp != 0) {
            out.writeLong(timestamp);
        }
        if (priority != MessageBlock.DEFAULT_PRIORITY) {
            out.writeByte(priority);
        }
        if (expiration != 0) {
            out.writeLong(expiration);
        }
        if (delayed) {
            out.writeLong(deliveryTime);
        }
        out.writeRaw(encodedHead, 0, encodedHead.length);
    }

    private int flags() throws JMSException {
        int flags = bodyType().number() << MessageBlock.BODY_TYPE_SHIFT;
        if (getJMSDeliveryMode() == DeliveryMode.PERSISTENT) {
            flags |= MessageBlock.PERSISTENT;
        }
        if (headHasNames) {
            flags |= MessageBlock.HAS_PROPERTIES;
        }
        if (isBodyNull()) {
            flags |= MessageBlock.NULL_BODY;
        }
        return flags;
    }

    private void encodeHead(NameTable names) throws JMSException {
        WireWriter out = new WireWriter(64);
        int presence = 0;
        String correlationId = getJMSCorrelationID();
        if (correlationId != null) {
            presence |= MessageBlock.HAS_CORRELATION_ID;
            out.writeBytes(CorrelationIdBytes.encode(correlationId));
        }
        String type = getJMSType();
        if (type != null) {
            presence |= MessageBlock.HAS_TYPE;
            out.writeBytes(StrictUtf8.encode(type));
        }
        if (getJMSReplyTo() instanceof WinnowDestination replyTo) {
            presence |= MessageBlock.HAS_REPLY_TO;
            out.writeByte(replyTo.kind().number());
            out.writeBytes(StrictUtf8.encode(replyTo.name()));
        }
        headNamesVersion = names.version();
        headNames = names;
        headHasInlineNames = false;
        headHasNames = !properties().isEmpty();
        if (headHasNames) {
            out.writeBytes(encodeProperties(names));
        }
        headPresence = presence;
        head = out.toByteArray();
    }

    private byte[] encodeProperties(NameTable names) throws JMSException {
        WireWriter out = new WireWriter(64);
        for (Map.Entry<String, @Nullable Object> property : properties().entrySet()) {
            PropertyNames.checkSent(property.getKey(), property.getValue());
            int number = names.number(property.getKey());
            out.writeVarint(number);
            if (number == 0) {
                headHasInlineNames = true;
                out.writeBytes(StrictUtf8.encode(property.getKey()));
            }
            ValueCoding.write(out, property.getValue());
        }
        return out.toByteArray();
    }

    @Override
    final void onHeadChanged() {
        head = null;
    }

    private Map<String, @Nullable Object> properties() throws JMSException {
        Map<String, @Nullable Object> known = properties;
        if (known == null) {
            known = block == null ? new LinkedHashMap<>() : readProperties(block);
            properties = known;
        }
        return known;
    }

    private Map<String, @Nullable Object> readProperties(byte[] received)
            throws MessageFormatException {
        try {
            MessageBlock view = new MessageBlock();
            view.parse(received, 0, received.length);
            PropertyCursor cursor = new PropertyCursor();
            view.properties(cursor);
            return ValueCoding.readEntries(cursor, origin == null ? null : origin.names());
        } catch (WireException e) {
            throw damaged(e);
        }
    }

    @Override
    public final void clearProperties() {
        properties = new LinkedHashMap<>();
        propertiesWritable = true;
        onHeadChanged();
    }

    @Override
    public final boolean propertyExists(String name) throws JMSException {
        return property(name) != null || properties().containsKey(name);
    }

    private @Nullable Object property(@Nullable String name) throws JMSException {
        if (hasDeliveryCount() && PropertyNames.DELIVERY_COUNT.equals(name)) {
            return deliveryCount();
        }
        return properties().get(name);
    }

    /// True if JMSXDeliveryCount is among the properties, as in a received message until they are
    /// cleared.
    private boolean hasDeliveryCount() {
        return deliveryCount() > 0 && !propertiesWritable;
    }

    /// The names of all properties. In a received message JMSXDeliveryCount is among them.
    @Override
    public final Enumeration<String> getPropertyNames() throws JMSException {
        List<String> names = new ArrayList<>(properties().keySet());
        if (hasDeliveryCount()) {
            names.add(PropertyNames.DELIVERY_COUNT);
        }
        return Collections.enumeration(names);
    }

    @Override
    public final boolean getBooleanProperty(String name) throws JMSException {
        return ValueConversion.toBoolean(property(name));
    }

    @Override
    public final byte getByteProperty(String name) throws JMSException {
        return ValueConversion.toByte(property(name));
    }

    @Override
    public final short getShortProperty(String name) throws JMSException {
        return ValueConversion.toShort(property(name));
    }

    @Override
    public final int getIntProperty(String name) throws JMSException {
        return ValueConversion.toInt(property(name));
    }

    @Override
    public final long getLongProperty(String name) throws JMSException {
        return ValueConversion.toLong(property(name));
    }

    @Override
    public final float getFloatProperty(String name) throws JMSException {
        return ValueConversion.toFloat(property(name));
    }

    @Override
    public final double getDoubleProperty(String name) throws JMSException {
        return ValueConversion.toDouble(property(name));
    }

    @Override
    public final @Nullable String getStringProperty(String name) throws JMSException {
        return ValueConversion.toText(property(name));
    }

    @Override
    public final @Nullable Object getObjectProperty(String name) throws JMSException {
        return property(name);
    }

    @Override
    public final void setBooleanProperty(String name, boolean value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setByteProperty(String name, byte value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setShortProperty(String name, short value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setIntProperty(String name, int value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setLongProperty(String name, long value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setFloatProperty(String name, float value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setDoubleProperty(String name, double value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setStringProperty(String name, @Nullable String value) throws JMSException {
        setObjectProperty(name, value);
    }

    /// Sets a property. JMSXDeliveryCount is the receiving side's to tell: setting it, as code does
    /// that copies all properties of a received message, has no effect.
    @Override
    public final void setObjectProperty(String name, @Nullable Object value) throws JMSException {
        PropertyNames.check(name);
        if (!propertiesWritable) {
            throw new MessageNotWriteableException(
                    "properties of a received message are read-only until clearProperties()");
        }
        if (value != null && !ValueConversion.isPropertyValue(value)) {
            throw ValueConversion.unusable(value);
        }
        if (!name.equals(PropertyNames.DELIVERY_COUNT)) {
            properties().put(name, value);
            onHeadChanged();
        }
    }

    /// Takes away the body and makes it writable.
    @Override
    public void clearBody() throws JMSException {
        bodyWritable = true;
    }

    final boolean isBodyWritable() {
        return bodyWritable;
    }

    final void setBodyWritable(boolean writable) {
        bodyWritable = writable;
    }

    final void requireWritableBody() throws MessageNotWriteableException {
        if (!bodyWritable) {
            throw new MessageNotWriteableException("the body is read-only until clearBody()");
        }
    }

    final void requireReadableBody() throws MessageNotReadableException {
        if (bodyWritable) {
            throw new MessageNotReadableException("the body is write-only until reset()");
        }
    }

    /// The body as an object of a class, null if there is none.
    @Override
    public <T> @Nullable T getBody(Class<T> type) throws JMSException {
        Object body = bodyObject();
        if (body == null) {
            return null;
        }
        if (!isBodyAssignableTo(type)) {
            throw new MessageFormatException(
                    "expected a class that a %s can be assigned to, found %s"
                            .formatted(body.getClass().getSimpleName(), type.getName()));
        }
        return type.cast(body);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface declares it
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        Object body = bodyObject();
        return body == null || type.isInstance(body);
    }

    /// The body for [#getBody], null if there is none.
    @Nullable Object bodyObject() throws JMSException {
        return null;
    }

    /// The same message for another delivery from the client's own memory: as it was received,
    /// whatever the application did to this one.
    public final WinnowMessage redelivery() {
        return again(deliveryCount() + 1);
    }

    /// The same as [#redelivery], but as if this delivery had not happened.
    public final WinnowMessage undelivered() {
        return again(deliveryCount());
    }

    /// The same as [#redelivery], but it has cost another credit.
    public final WinnowMessage redelivery(int frameBytes) {
        return again(frameBytes, deliveryCount() + 1);
    }

    /// True if its body is not in the block but in a file.
    public boolean staysInFile() {
        return false;
    }

    private WinnowMessage again(int count) {
        return again(frameBytes(), count);
    }

    private WinnowMessage again(int frameBytes, int count) {
        if (origin == null) {
            throw notReceived();
        }
        WinnowMessage same = again(origin, frameBytes, count);
        same.deliveryId(deliveryId());
        return same;
    }

    /// The message as it was received.
    WinnowMessage again(MessageOrigin from, int frameBytes, int count) {
        return ReceivedMessages.of(receivedBlock(), from, frameBytes, count);
    }

    /// The block that was received, which must not be changed.
    public final byte[] receivedBlock() {
        if (block == null) {
            throw notReceived();
        }
        return block;
    }

    private static IllegalStateException notReceived() {
        return new IllegalStateException("the message was not received");
    }
}
