package winnow.wire;

/// Headers, properties and body of one message as they travel: the broker forwards these bytes as
/// they came. Parsing finds where each part lies and checks that every part, each property
/// included, lies within the frame; it allocates nothing. Layout: docs/PROTOCOL.md, "Message
/// block".
///
/// A mutable view that is reused, one per event loop; borrows the array.
public final class MessageBlock {
    /// Bit of the flags: JMSDeliveryMode is PERSISTENT.
    public static final int PERSISTENT = 1;

    /// Shift and mask of the flags: number of a [BodyType].
    public static final int BODY_TYPE_SHIFT = 1;

    public static final int BODY_TYPE_MASK = 0b111;

    /// Bit of the flags: a property block is there.
    public static final int HAS_PROPERTIES = 1 << 4;

    /// Bit of the flags: the body of a text or object message is null.
    public static final int NULL_BODY = 1 << 5;

    private static final int KNOWN_FLAGS = (1 << 6) - 1;

    /// Bits of the presence byte, in the order of the fields.
    public static final int HAS_MESSAGE_ID = 1;

    public static final int HAS_TIMESTAMP = 1 << 1;
    public static final int HAS_PRIORITY = 1 << 2;
    public static final int HAS_EXPIRATION = 1 << 3;
    public static final int HAS_DELIVERY_TIME = 1 << 4;
    public static final int HAS_CORRELATION_ID = 1 << 5;
    public static final int HAS_TYPE = 1 << 6;
    public static final int HAS_REPLY_TO = 1 << 7;

    /// Priority of a message that carries none (Jakarta Messaging 3.1, 3.4.10).
    public static final int DEFAULT_PRIORITY = 4;

    private static final byte[] NONE = {};

    private final WireReader reader = new WireReader();
    private final PropertyCursor cursor = new PropertyCursor();
    private byte[] array = NONE;
    private int start;
    private int end;
    private int flags;
    private int presence;
    private int messageIdIndex;
    private int timestampIndex;
    private int priority;
    private int expirationIndex;
    private int deliveryTimeIndex;
    private long expiresEarlierMillis;
    private int correlationIdIndex;
    private int correlationIdLength;
    private int typeIndex;
    private int typeLength;
    private int replyToIndex;
    private int propertiesIndex;
    private int bodyIndex;

    /// Reads `array` from `start` to `end` as one block.
    ///
    /// @throws WireException if it is none
    public void parse(byte[] array, int start, int end) {
        parseFields(array, start, end);
        properties(cursor);
        while (cursor.next()) {
            // Fails if it is none.
        }
    }

    /// The same, but without looking at the entries of the property block. For callers that walk
    /// over [#properties] anyway, which checks them.
    ///
    /// @throws WireException if it is no block
    public void parseFields(byte[] array, int start, int end) {
        this.array = array;
        this.start = start;
        this.end = end;
        expiresEarlierMillis = 0;
        WireReader in = reader.wrap(array, start, end);
        flags = in.readUnsignedByte();
        presence = in.readUnsignedByte();
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "message block: expected flags below 64, found " + flags);
        }
        int bodyType = flags >> BODY_TYPE_SHIFT & BODY_TYPE_MASK;
        if (bodyType > BodyType.OBJECT.number()) {
            BodyType.ofNumber(bodyType);
        }
        parseFixed(in);
        parseStrings(in);
        int propertyBytes = (flags & HAS_PROPERTIES) != 0 ? in.readLength() : 0;
        propertiesIndex = in.position();
        in.skip(propertyBytes);
        bodyIndex = in.position();
    }

    /// Gives the array back: a view that waits for the next block keeps no large one alive.
    public void clear() {
        array = NONE;
        start = 0;
        end = 0;
        reader.wrap(NONE, 0, 0);
        cursor.start(NONE, 0, 0);
    }

    private void parseFixed(WireReader in) {
        if ((presence & HAS_MESSAGE_ID) != 0) {
            messageIdIndex = in.position();
            in.skip(8);
            in.readVarlong();
        }
        if ((presence & HAS_TIMESTAMP) != 0) {
            timestampIndex = in.position();
            in.skip(8);
        }
        priority = DEFAULT_PRIORITY;
        if ((presence & HAS_PRIORITY) != 0) {
            priority = readPriority(in);
        }
        if ((presence & HAS_EXPIRATION) != 0) {
            expirationIndex = in.position();
            checkTime("expiration", in.readLong());
        }
        if ((presence & HAS_DELIVERY_TIME) != 0) {
            deliveryTimeIndex = in.position();
            checkTime("delivery time", in.readLong());
        }
    }

    /// The priority of a block, 4 if it has none, without the rest of it.
    ///
    /// @throws WireException if it is damaged up to there
    public static int priority(byte[] block) {
        WireReader in = new WireReader().wrap(block, 0, block.length);
        in.skip(1);
        int presence = in.readUnsignedByte();
        if ((presence & HAS_PRIORITY) == 0) {
            return DEFAULT_PRIORITY;
        }
        if ((presence & HAS_MESSAGE_ID) != 0) {
            in.skip(8);
            in.readVarlong();
        }
        if ((presence & HAS_TIMESTAMP) != 0) {
            in.skip(8);
        }
        return readPriority(in);
    }

    private static int readPriority(WireReader in) {
        int priority = in.readUnsignedByte();
        if (priority > 9) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "expected priority 0 to 9, found " + priority);
        }
        return priority;
    }

    private static void checkTime(String what, long millis) {
        if (millis < 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected a "
                            + what
                            + " below 2^63 ms, found "
                            + Long.toUnsignedString(millis));
        }
    }

    private void parseStrings(WireReader in) {
        correlationIdLength = -1;
        if ((presence & HAS_CORRELATION_ID) != 0) {
            correlationIdLength = in.readLength();
            correlationIdIndex = in.position();
            in.skip(correlationIdLength);
        }
        typeLength = -1;
        if ((presence & HAS_TYPE) != 0) {
            typeLength = in.readLength();
            typeIndex = in.position();
            in.skip(typeLength);
        }
        if ((presence & HAS_REPLY_TO) != 0) {
            replyToIndex = in.position();
            DestinationKind.read(in);
            in.skip(in.readLength());
        }
    }

    /// The array that holds the block. Borrowed.
    public byte[] array() {
        return array;
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    /// Bytes of the whole block.
    public int length() {
        return end - start;
    }

    public boolean persistent() {
        return (flags & PERSISTENT) != 0;
    }

    public int flags() {
        return flags;
    }

    /// True if the field with this bit, such as [#HAS_TYPE], is there.
    public boolean has(int presenceBit) {
        return (presence & presenceBit) != 0;
    }

    public BodyType bodyType() {
        return BodyType.ofNumber(flags >> BODY_TYPE_SHIFT & BODY_TYPE_MASK);
    }

    public boolean nullBody() {
        return (flags & NULL_BODY) != 0;
    }

    /// First half of the message id: the connection that sent it. Needs [#HAS_MESSAGE_ID].
    public long messageConnectionId() {
        return longAt(messageIdIndex);
    }

    /// Second half of the message id: its number on that connection. Needs [#HAS_MESSAGE_ID].
    public long messageSequence() {
        return reader.wrap(array, messageIdIndex + 8, end).readVarlong();
    }

    /// JMSMessageID as text. Needs [#HAS_MESSAGE_ID].
    public String messageId() {
        return messageId(messageConnectionId(), messageSequence());
    }

    /// The text of a message id: `ID:`, the connection in 16 hexadecimal digits, `-`, the number.
    public static String messageId(long connectionId, long sequence) {
        String hex = Long.toHexString(connectionId);
        return "ID:" + "0".repeat(16 - hex.length()) + hex + "-" + sequence;
    }

    /// JMSTimestamp in milliseconds since 1970, 0 if not there.
    public long timestamp() {
        return (presence & HAS_TIMESTAMP) != 0 ? longAt(timestampIndex) : 0;
    }

    /// JMSPriority, 0 to 9.
    public int priority() {
        return priority;
    }

    /// JMSExpiration in milliseconds since 1970, 0 if it never expires.
    public long expiration() {
        if ((presence & HAS_EXPIRATION) == 0) {
            return 0;
        }
        long carried = longAt(expirationIndex);
        return expiresEarlierMillis == 0 ? carried : later(carried, -expiresEarlierMillis);
    }

    /// Moves the times of a message whose sender's clock is wrong to those of the clock here. The
    /// block is changed: its delivery time becomes that of the clock here, and so does its
    /// expiration if that is later. If it is earlier, only this view says so, since the clock here
    /// may be the wrong one, and receivers would drop the message by theirs.
    ///
    /// @param millis by which the clock here is ahead, below 0 if it is behind
    public void moveTimes(long millis) {
        if ((presence & HAS_DELIVERY_TIME) != 0) {
            setLongAt(deliveryTimeIndex, later(longAt(deliveryTimeIndex), millis));
        }
        if ((presence & HAS_EXPIRATION) != 0 && longAt(expirationIndex) != 0) {
            if (millis > 0) {
                setLongAt(expirationIndex, later(longAt(expirationIndex), millis));
            } else {
                expiresEarlierMillis = -millis;
            }
        }
    }

    /// By how much [#expiration] is before what the block carries.
    public long expiresEarlierMillis() {
        return expiresEarlierMillis;
    }

    /// Takes over what [#moveTimes] has said of another view of the same block.
    public void expiresEarlierMillis(long millis) {
        expiresEarlierMillis = millis;
    }

    private static long later(long time, long millis) {
        long sum = time + millis;
        return millis > 0 && sum < 0 ? Long.MAX_VALUE : Math.max(1, sum);
    }

    /// JMSDeliveryTime in milliseconds since 1970, 0 if not there.
    public long deliveryTime() {
        return (presence & HAS_DELIVERY_TIME) != 0 ? longAt(deliveryTimeIndex) : 0;
    }

    /// Index of the correlation ID's UTF-8 bytes. Needs [#HAS_CORRELATION_ID].
    public int correlationIdIndex() {
        return correlationIdIndex;
    }

    /// Bytes of the correlation ID, -1 if there is none.
    public int correlationIdLength() {
        return correlationIdLength;
    }

    /// Index of the UTF-8 bytes of JMSType. Needs [#HAS_TYPE].
    public int typeIndex() {
        return typeIndex;
    }

    /// Bytes of JMSType, -1 if there is none.
    public int typeLength() {
        return typeLength;
    }

    /// Index of JMSReplyTo: a [DestinationKind], then a string. Needs [#HAS_REPLY_TO].
    public int replyToIndex() {
        return replyToIndex;
    }

    /// Makes `cursor` stand in front of the first property.
    public void properties(PropertyCursor cursor) {
        cursor.startProperties(array, propertiesIndex, bodyIndex);
    }

    /// Index of the body's first byte.
    public int bodyIndex() {
        return bodyIndex;
    }

    /// Bytes of the body.
    public int bodyLength() {
        return end - bodyIndex;
    }

    private void setLongAt(int index, long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            array[index + i] = (byte) (value >> (Byte.SIZE * (Long.BYTES - 1 - i)));
        }
    }

    private long longAt(int index) {
        return reader.wrap(array, index, end).readLong();
    }
}
