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
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import winnow.wire.BodyType;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// A message whose body is a row of bytes: write-only when made, read-only when received or
/// [#reset]. A body of more than 1 MiB that is written, or that came in parts, is in a file; it is
/// given back by [#clearBody], or when nobody refers to the message any more.
public final class WinnowBytesMessage extends WinnowMessage implements BytesMessage {
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

    /// Bytes that are copied at a time.
    private static final int COPIED_BYTES = 64 * 1024;

    private final SpillSpace space;

    /// As it came in parts, null if it did not.
    private final @Nullable SpillFile received;

    private BytesContent content = BytesContent.EMPTY;
    private boolean located = true;
    private @Nullable BytesOutput output;
    private @Nullable BytesInput input;

    /// An empty, writable message.
    public WinnowBytesMessage() {
        this(SpillSpace.UNLIMITED);
    }

    /// An empty, writable message.
    ///
    /// @param space for a large body
    public WinnowBytesMessage(SpillSpace space) {
        this.space = space;
        received = null;
    }

    WinnowBytesMessage(byte[] block, MessageOrigin origin, int frameBytes, int deliveryCount) {
        super(block, origin, frameBytes, deliveryCount);
        space = SpillSpace.UNLIMITED;
        received = null;
        located = false;
    }

    /// A message whose body came in parts.
    ///
    /// @param head the message block up to the body
    /// @param body which belongs to the message from now on
    WinnowBytesMessage(
            byte[] head, SpillFile body, MessageOrigin origin, int frameBytes, int deliveryCount) {
        super(head, origin, frameBytes, deliveryCount);
        space = SpillSpace.UNLIMITED;
        received = body;
        content = new BytesContent(body);
    }

    private static JMSException failed(IOException cause) {
        JMSException failed =
                new JMSException("the body of a large message: " + cause.getMessage());
        failed.initCause(cause);
        return failed;
    }

    private void locate() throws JMSException {
        if (!located && block != null) {
            int index = bodyIndex();
            content = new BytesContent(block, index, block.length - index);
            located = true;
        } else if (output != null) {
            try {
                content = output.content();
            } catch (IOException e) {
                throw failed(e);
            }
        }
    }

    private BytesOutput output() throws JMSException {
        requireWritableBody();
        if (output == null) {
            output = new BytesOutput(space);
        }
        return output;
    }

    private void write(Consumer<WireWriter> value) throws JMSException {
        BytesOutput to = output();
        value.accept(to.writer());
        try {
            to.onWritten();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private BytesInput input() throws JMSException {
        requireReadableBody();
        if (input == null) {
            locate();
            input = new BytesInput(content);
        }
        return input;
    }

    private WireReader reader(int wanted) throws JMSException {
        try {
            return input().reader(wanted);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void reset() throws JMSException {
        locate();
        if (output != null) {
            try {
                content = output.finish();
            } catch (IOException e) {
                throw failed(e);
            }
            output = null;
        }
        input = null;
        setBodyWritable(false);
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        if (located) {
            locate();
        }
        SpillFile file = content.file;
        if (file != null) {
            file.release();
        }
        output = null;
        input = null;
        content = BytesContent.EMPTY;
        located = true;
    }

    @Override
    public long getBodyLength() throws JMSException {
        requireReadableBody();
        if (absentBytes() >= 0) {
            return absentBytes();
        }
        locate();
        return content.length();
    }

    private long read(ToLongFunction<WireReader> field) throws JMSException {
        WireReader in = reader(Long.BYTES);
        int before = in.position();
        try {
            return field.applyAsLong(in);
        } catch (WireException e) {
            in.wrap(in.array(), before, in.limit());
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
        WireReader in = reader(BytesInput.LONGEST_VALUE);
        ByteArrayInputStream rest =
                new ByteArrayInputStream(in.array(), in.position(), in.remaining());
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
        try {
            int count = input().read(value, length);
            return count == 0 && length > 0 ? -1 : count;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// Writes what is left of the body to a stream.
    ///
    /// @return how many bytes that were
    /// @throws IOException if the stream fails
    public long copyTo(OutputStream to) throws JMSException, IOException {
        byte[] part = new byte[COPIED_BYTES];
        long sum = 0;
        for (int count = readBytes(part); count > 0; count = readBytes(part)) {
            to.write(part, 0, count);
            sum += count;
        }
        return sum;
    }

    /// Appends all that a stream has to the body.
    ///
    /// @return how many bytes that were
    /// @throws IOException if the stream fails
    public long copyFrom(InputStream from) throws JMSException, IOException {
        byte[] part = new byte[COPIED_BYTES];
        long sum = 0;
        for (int count = from.read(part); count >= 0; count = from.read(part)) {
            writeBytes(part, 0, count);
            sum += count;
        }
        return sum;
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(out -> out.writeByte(value ? 1 : 0));
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(out -> out.writeByte(value));
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(out -> out.writeShort(value));
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(out -> out.writeShort(value));
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(out -> out.writeInt(value));
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(out -> out.writeLong(value));
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
        writeBytes(value, 0, value.length);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        try {
            output().write(value, offset, length);
        } catch (IOException e) {
            throw failed(e);
        }
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
        if (absentBytes() >= 0) {
            bodyIndex();
        }
        reset();
        long length = content.length();
        if (length == 0) {
            return null;
        }
        if (length > MAX_ARRAY) {
            throw new MessageFormatException(
                    "a body of " + length + " bytes does not fit into an array: use readBytes()");
        }
        byte[] body = new byte[(int) length];
        copyBody(0, body, body.length);
        return body;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as the interface declares it
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        if (absentBytes() < 0) {
            locate();
        }
        return content.length() == 0 || type.isAssignableFrom(byte[].class);
    }

    @Override
    WinnowMessage again(MessageOrigin from, int frameBytes, int count) {
        return received == null
                ? super.again(from, frameBytes, count)
                : new WinnowBytesMessage(
                        receivedBlock(), received.shared(), from, frameBytes, count);
    }

    @Override
    public boolean staysInFile() {
        return received != null;
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
    public long bodyBytes() {
        return content.length();
    }

    @Override
    public void copyBody(long from, byte[] to, int count) throws JMSException {
        try {
            content.copy(from, to, 0, count);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    void writeBody(WireWriter out) throws JMSException {
        if (content.file == null) {
            out.writeRaw(content.array, content.offset, (int) content.length());
            return;
        }
        byte[] part = new byte[COPIED_BYTES];
        for (long at = 0; at < content.length(); at += part.length) {
            int count = (int) Math.min(part.length, content.length() - at);
            copyBody(at, part, count);
            out.writeRaw(part, 0, count);
        }
    }
}
