package winnow.client.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import winnow.wire.BodyType;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// A message whose body is a row of bytes: write-only when made, read-only when received or
/// [#reset].
public final class WinnowBytesMessage extends WinnowMessage implements BytesMessage {
    private static final byte[] EMPTY = {};

    private byte[] array = EMPTY;
    private int offset;
    private int length;
    private boolean located = true;
    private @Nullable WireWriter writer;
    private @Nullable WireReader reader;

    /// An empty, writable message.
    public WinnowBytesMessage() {}

    WinnowBytesMessage(byte[] block, MessageOrigin origin, int frameBytes, int deliveryCount) {
        super(block, origin, frameBytes, deliveryCount);
        located = false;
    }

    private void locate() throws JMSException {
        if (!located && block != null) {
            offset = bodyIndex();
            length = block.length - offset;
            array = block;
            located = true;
        } else if (writer != null) {
            array = writer.array();
            offset = 0;
            length = writer.size();
        }
    }

    private WireWriter writer() throws JMSException {
        requireWritableBody();
        if (writer == null) {
            writer = new WireWriter(32);
            if (length > 0) {
                writer.writeRaw(array, offset, length);
            }
        }
        return writer;
    }

    private WireReader reader() throws JMSException {
        requireReadableBody();
        if (reader == null) {
            locate();
            reader = new WireReader().wrap(array, offset, offset + length);
        }
        return reader;
    }

    @Override
    public void reset() throws JMSException {
        locate();
        if (writer != null) {
            array = writer.toByteArray();
            writer = null;
        }
        reader = null;
        setBodyWritable(false);
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        writer = null;
        reader = null;
        array = EMPTY;
        offset = 0;
        length = 0;
        located = true;
    }

    @Override
    public long getBodyLength() throws JMSException {
        requireReadableBody();
        locate();
        return length;
    }

    private long read(ToLongFunction<WireReader> field) throws JMSException {
        WireReader in = reader();
        int before = in.position();
        try {
            return field.applyAsLong(in);
        } catch (WireException e) {
            in.wrap(array, before, offset + length);
            throw endOfBody(e);
        }
    }

    private static MessageEOFException endOfBody(Exception cause) {
        MessageEOFException end = new MessageEOFException("the body ends here");
        end.initCause(cause);
        return end;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return readByte() != 0;
    }

    @Override
    public byte readByte() throws JMSException {
        return (byte) read(WireReader::readByte);
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return readByte() & 0xFF;
    }

    @Override
    public short readShort() throws JMSException {
        return (short) read(WireReader::readShort);
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return readShort() & 0xFFFF;
    }

    @Override
    public char readChar() throws JMSException {
        return (char) readShort();
    }

    @Override
    public int readInt() throws JMSException {
        return (int) read(WireReader::readInt);
    }

    @Override
    public long readLong() throws JMSException {
        return read(WireReader::readLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() throws JMSException {
        return Double.longBitsToDouble(readLong());
    }

    /// A string that [#writeUTF] wrote: its length in 2 bytes, then modified UTF-8.
    @Override
    public String readUTF() throws JMSException {
        WireReader in = reader();
        ByteArrayInputStream rest = new ByteArrayInputStream(array, in.position(), in.remaining());
        try (DataInputStream data = new DataInputStream(rest)) {
            String text = data.readUTF();
            in.skip(in.remaining() - rest.available());
            return text;
        } catch (EOFException e) {
            throw endOfBody(e);
        } catch (IOException e) {
            MessageFormatException format = new MessageFormatException(e.getMessage());
            format.initCause(e);
            throw format;
        }
    }

    @Override
    public int readBytes(byte[] value) throws JMSException {
        return readBytes(value, value.length);
    }

    @Override
    public int readBytes(byte[] value, int length) throws JMSException {
        if (length < 0 || length > value.length) {
            throw new IndexOutOfBoundsException(
                    "expected a length of 0 to " + value.length + ", found " + length);
        }
        WireReader in = reader();
        if (in.remaining() == 0) {
            return length == 0 ? 0 : -1;
        }
        int count = Math.min(length, in.remaining());
        System.arraycopy(array, in.position(), value, 0, count);
        in.skip(count);
        return count;
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        writer().writeByte(value ? 1 : 0);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        writer().writeByte(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        writer().writeShort(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        writer().writeShort(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        writer().writeInt(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        writer().writeLong(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        writeInt(Float.floatToIntBits(value));
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        writeLong(Double.doubleToLongBits(value));
    }

    @Override
    public void writeUTF(String value) throws JMSException {
        requireWritableBody();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(value.length() + 2);
        try (DataOutputStream data = new DataOutputStream(bytes)) {
            data.writeUTF(value);
        } catch (IOException e) {
            MessageFormatException format = new MessageFormatException(e.getMessage());
            format.initCause(e);
            throw format;
        }
        writeBytes(bytes.toByteArray());
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        writer().writeRaw(value, 0, value.length);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        writer().writeRaw(value, offset, length);
    }

    @Override
    public void writeObject(Object value) throws JMSException {
        if (value instanceof Boolean flag) {
            writeBoolean(flag);
        } else if (value instanceof Character character) {
            writeChar(character);
        } else if (value instanceof String text) {
            writeUTF(text);
        } else if (value instanceof byte[] bytes) {
            writeBytes(bytes);
        } else if (value instanceof Number number) {
            writeNumber(number);
        } else if (value == null) {
            throw new NullPointerException("expected a value, found null");
        } else {
            throw ValueConversion.unusable(value);
        }
    }

    private void writeNumber(Number value) throws JMSException {
        if (value instanceof Integer number) {
            writeInt(number);
        } else if (value instanceof Long number) {
            writeLong(number);
        } else if (value instanceof Byte number) {
            writeByte(number);
        } else if (value instanceof Short number) {
            writeShort(number);
        } else if (value instanceof Float number) {
            writeFloat(number);
        } else if (value instanceof Double number) {
            writeDouble(number);
        } else {
            throw ValueConversion.unusable(value);
        }
    }

    /// The body as an array; resets the message, as the specification wants.
    @Override
    @Nullable Object bodyObject() throws JMSException {
        reset();
        return length == 0 ? null : Arrays.copyOfRange(array, offset, offset + length);
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as the interface declares it
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        locate();
        return length == 0 || type.isAssignableFrom(byte[].class);
    }

    @Override
    BodyType bodyType() {
        return BodyType.BYTES;
    }

    @Override
    void prepareBody() throws JMSException {
        locate();
    }

    @Override
    byte[] bodyArray() {
        return array;
    }

    @Override
    int bodyOffset() {
        return offset;
    }

    @Override
    int bodyLength() {
        return length;
    }
}
