package winnow.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes fields into a byte array that grows as needed. Reused.
public final class WireWriter {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] array;
    private int size;

    /// @param initialBytes size of the first array
    public WireWriter(int initialBytes) {
        array = new byte[initialBytes];
    }

    /// The array that is written; valid up to [#size] and until the next write.
    public byte[] array() {
        return array;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    /// Forgets what was written behind the first `bytes`.
    public void truncate(int bytes) {
        size = Math.min(size, bytes);
    }

    /// A copy of what was written.
    public byte[] toByteArray() {
        return Arrays.copyOf(array, size);
    }

    /// Starts a frame and returns the mark that [#endFrame] wants.
    public int beginFrame(int type) {
        int mark = size;
        ensure(Protocol.LENGTH_BYTES + 1);
        size += Protocol.LENGTH_BYTES;
        array[size++] = (byte) type;
        return mark;
    }

    /// Ends the frame that began at `mark`: writes its length.
    public void endFrame(int mark) {
        endFrame(mark, 0);
    }

    /// Ends the frame that began at `mark`, so many bytes of which are sent from elsewhere.
    public void endFrame(int mark, int bytesBehind) {
        INT.set(array, mark, size - mark - Protocol.LENGTH_BYTES + bytesBehind);
    }

    public void writeByte(int value) {
        ensure(1);
        array[size++] = (byte) value;
    }

    public void writeShort(int value) {
        ensure(2);
        array[size++] = (byte) (value >> 8);
        array[size++] = (byte) value;
    }

    public void writeInt(int value) {
        ensure(4);
        INT.set(array, size, value);
        size += 4;
    }

    public void writeLong(long value) {
        ensure(8);
        LONG.set(array, size, value);
        size += 8;
    }

    /// An unsigned LEB128 number.
    ///
    /// @param value not negative
    public void writeVarint(int value) {
        ensure(5);
        int rest = value;
        while (rest > 0x7F) {
            array[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        array[size++] = (byte) rest;
    }

    /// An unsigned LEB128 number.
    ///
    /// @param value not negative
    public void writeVarlong(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("expected a number from 0, found " + value);
        }
        ensure(9);
        long rest = value;
        while (rest > 0x7F) {
            array[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        array[size++] = (byte) rest;
    }

    /// A string: varint length in bytes, then UTF-8.
    public void writeString(String value) {
        writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /// A string for people, as short as [Printable#message] makes it.
    public void writeMessage(String value) {
        writeString(Printable.message(value));
    }

    /// A byte array: varint length, then the bytes.
    public void writeBytes(byte[] value) {
        writeVarint(value.length);
        writeRaw(value, 0, value.length);
    }

    /// Bytes without a length.
    public void writeRaw(byte[] source, int offset, int length) {
        ensure(length);
        System.arraycopy(source, offset, array, size, length);
        size += length;
    }

    private void ensure(int bytes) {
        if (array.length - size < bytes) {
            array = Arrays.copyOf(array, Math.max(array.length * 2, size + bytes));
        }
    }
}
