package winnow.client.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.wire.BodyType;
import winnow.wire.PropertyCursor;
import winnow.wire.WireException;
import winnow.wire.WireWriter;

/// A message whose body is a row of typed values: write-only when made, read-only when received or
/// [#reset].
public final class WinnowStreamMessage extends WinnowMessage implements StreamMessage {
    private @Nullable List<@Nullable Object> values;
    private byte @Nullable [] encoded;
    private int next;

    /// Bytes read of the byte array at `next`, -1 if reading it has not begun.
    private int readOfBytes = -1;

    /// An empty, writable message.
    public WinnowStreamMessage() {
        values = new ArrayList<>();
    }

    WinnowStreamMessage(byte[] block, MessageOrigin origin, int frameBytes, int deliveryCount) {
        super(block, origin, frameBytes, deliveryCount);
    }

    private List<@Nullable Object> values() throws JMSException {
        List<@Nullable Object> known = values;
        if (known == null) {
            known = block == null ? new ArrayList<>() : read(block);
            values = known;
        }
        return known;
    }

    private List<@Nullable Object> read(byte[] received) throws JMSException {
        try {
            List<@Nullable Object> found = new ArrayList<>();
            PropertyCursor cursor = new PropertyCursor();
            cursor.start(received, bodyIndex(), received.length);
            while (cursor.nextValue()) {
                found.add(ValueCoding.read(cursor));
            }
            return found;
        } catch (WireException e) {
            throw damaged(e);
        }
    }

    private void add(@Nullable Object value) throws JMSException {
        requireWritableBody();
        values().add(value);
        encoded = null;
    }

    /// The next value, which stays next until [#advance]: a failed conversion does not consume it.
    private @Nullable Object peek() throws JMSException {
        requireReadableBody();
        if (readOfBytes >= 0) {
            throw new MessageFormatException(
                    "expected readBytes() until it returns -1 or less than was asked for");
        }
        if (next >= values().size()) {
            throw new MessageEOFException("the body has " + values().size() + " values");
        }
        return values().get(next);
    }

    private <T extends @Nullable Object> T advance(T value) {
        next++;
        return value;
    }

    @Override
    public void reset() throws JMSException {
        next = 0;
        readOfBytes = -1;
        setBodyWritable(false);
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        values = new ArrayList<>();
        encoded = null;
        next = 0;
        readOfBytes = -1;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return advance(ValueConversion.toBoolean(peek()));
    }

    @Override
    public byte readByte() throws JMSException {
        return advance(ValueConversion.toByte(peek()));
    }

    @Override
    public short readShort() throws JMSException {
        return advance(ValueConversion.toShort(peek()));
    }

    @Override
    public char readChar() throws JMSException {
        return advance(ValueConversion.toChar(peek()));
    }

    @Override
    public int readInt() throws JMSException {
        return advance(ValueConversion.toInt(peek()));
    }

    @Override
    public long readLong() throws JMSException {
        return advance(ValueConversion.toLong(peek()));
    }

    @Override
    public float readFloat() throws JMSException {
        return advance(ValueConversion.toFloat(peek()));
    }

    @Override
    public double readDouble() throws JMSException {
        return advance(ValueConversion.toDouble(peek()));
    }

    @Override
    public @Nullable String readString() throws JMSException {
        return advance(ValueConversion.toText(peek()));
    }

    /// Reads the next part of a byte array. A return value below the length of `value`, also -1,
    /// says that the array ends.
    @Override
    public int readBytes(byte[] value) throws JMSException {
        requireReadableBody();
        boolean begins = readOfBytes < 0;
        Object item = begins ? peek() : values().get(next);
        if (item == null) {
            return advance(-1);
        }
        if (!(item instanceof byte[] bytes)) {
            throw new MessageFormatException(
                    "expected a byte array, found a " + item.getClass().getSimpleName());
        }
        int from = Math.max(readOfBytes, 0);
        int count = Math.min(value.length, bytes.length - from);
        if (count == 0 && value.length > 0 && !begins) {
            readOfBytes = -1;
            return advance(-1);
        }
        System.arraycopy(bytes, from, value, 0, count);
        readOfBytes = from + count;
        if (count < value.length) {
            readOfBytes = -1;
            next++;
        }
        return count;
    }

    @Override
    public @Nullable Object readObject() throws JMSException {
        Object value = peek();
        return advance(value instanceof byte[] bytes ? bytes.clone() : value);
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        add(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        add(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        add(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        add(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        add(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        add(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        add(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        add(value);
    }

    @Override
    public void writeString(@Nullable String value) throws JMSException {
        add(value);
    }

    @Override
    public void writeBytes(byte @Nullable [] value) throws JMSException {
        add(value == null ? null : value.clone());
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        Objects.checkFromIndexSize(offset, length, value.length);
        add(Arrays.copyOfRange(value, offset, offset + length));
    }

    @Override
    public void writeObject(@Nullable Object value) throws JMSException {
        if (value != null && !ValueConversion.isBodyValue(value)) {
            throw ValueConversion.unusable(value);
        }
        add(value instanceof byte[] bytes ? bytes.clone() : value);
    }

    /// Always MessageFormatException: the specification gives a stream no object form.
    @Override
    public <T> @Nullable T getBody(Class<T> type) throws JMSException {
        throw new MessageFormatException("a StreamMessage has no body that is one object");
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface declares it
    public boolean isBodyAssignableTo(Class type) {
        return false;
    }

    @Override
    BodyType bodyType() {
        return BodyType.STREAM;
    }

    @Override
    void prepareBody() throws JMSException {
        if (encoded == null) {
            WireWriter out = new WireWriter(128);
            for (Object value : values()) {
                ValueCoding.write(out, value);
            }
            encoded = out.toByteArray();
        }
    }

    @Override
    byte[] bodyArray() {
        return encoded == null ? new byte[0] : encoded;
    }

    @Override
    int bodyLength() {
        return encoded == null ? 0 : encoded.length;
    }
}
