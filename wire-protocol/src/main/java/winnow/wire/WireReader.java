package winnow.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Reads the fields of one frame from a byte array and never leaves the frame: whatever would reach
/// beyond its end is a [WireException]. Reused; borrows the array.
public final class WireReader {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /// Character that decoding puts in place of bytes that are not UTF-8.
    private static final char REPLACEMENT = '\uFFFD';

    private byte[] array = new byte[0];
    private int position;
    private int limit;

    /// Makes this reader read `array` from `position` up to `limit`.
    public WireReader wrap(byte[] array, int position, int limit) {
        this.array = array;
        this.position = position;
        this.limit = limit;
        return this;
    }

    /// The array that is read. Borrowed: its content changes when the next bytes arrive.
    public byte[] array() {
        return array;
    }

    /// Index of the next byte in [#array].
    public int position() {
        return position;
    }

    /// Index behind the last byte of the frame in [#array].
    public int limit() {
        return limit;
    }

    public int remaining() {
        return limit - position;
    }

    /// Continues at `position`, which lies within the frame.
    public void position(int position) {
        if (position < this.position || position > limit) {
            throw new IllegalArgumentException("position " + position + " of " + limit);
        }
        this.position = position;
    }

    public int readUnsignedByte() {
        return readByte() & 0xFF;
    }

    public byte readByte() {
        if (position >= limit) {
            throw truncated(1);
        }
        return array[position++];
    }

    public short readShort() {
        require(2);
        int value = (array[position] & 0xFF) << 8 | (array[position + 1] & 0xFF);
        position += 2;
        return (short) value;
    }

    public int readInt() {
        require(4);
        int value = (int) INT.get(array, position);
        position += 4;
        return value;
    }

    public long readLong() {
        require(8);
        long value = (long) LONG.get(array, position);
        position += 8;
        return value;
    }

    /// An unsigned LEB128 number of at most 31 bits.
    public int readVarint() {
        byte first = readByte();
        if (first >= 0) {
            return first;
        }
        int value = first & 0x7F;
        for (int shift = 7; shift < 35; shift += 7) {
            byte next = readByte();
            if (shift == 28 && (next & 0xF8) != 0) {
                break;
            }
            value |= (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new WireException(
                ErrorCode.MALFORMED_FRAME,
                "expected a varint of at most 31 bits, found a longer one");
    }

    /// An unsigned LEB128 number of at most 63 bits.
    public long readVarlong() {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            byte next = readByte();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new WireException(
                ErrorCode.MALFORMED_FRAME,
                "expected a varint of at most 63 bits, found a longer one");
    }

    /// A varint length which the rest of the frame can hold.
    public int readLength() {
        int length = readVarint();
        require(length);
        return length;
    }

    /// A string: varint length in bytes, then UTF-8.
    public String readString() {
        int length = readLength();
        String value = new String(array, position, length, StandardCharsets.UTF_8);
        if (value.indexOf(REPLACEMENT) >= 0 && !isUtf8(value, length)) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "expected a string in UTF-8, found other bytes");
        }
        position += length;
        return value;
    }

    /// A text that becomes the message of an exception, or is shown otherwise: without characters
    /// that a terminal would obey, and as short as [Printable#message] makes it.
    public String readMessage() {
        return Printable.lines(Printable.message(readString()));
    }

    /// True if each replacement character of the text stands in the bytes, so that decoding
    /// replaced nothing. Takes no memory: the text may be as long as a frame.
    private boolean isUtf8(String value, int length) {
        int sent = 0;
        for (int i = position; i < position + length - 2; i++) {
            if (array[i] == (byte) 0xEF
                    && array[i + 1] == (byte) 0xBF
                    && array[i + 2] == (byte) 0xBD) {
                sent++;
            }
        }
        return value.chars().filter(character -> character == REPLACEMENT).count() == sent;
    }

    /// A byte array: varint length, then the bytes.
    public byte[] readBytes() {
        int length = readLength();
        byte[] value = new byte[length];
        System.arraycopy(array, position, value, 0, length);
        position += length;
        return value;
    }

    public void skip(int bytes) {
        require(bytes);
        position += bytes;
    }

    /// Fails unless the whole frame was read.
    public void requireEnd() {
        if (position != limit) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected the end of the frame, found " + (limit - position) + " more bytes");
        }
    }

    private void require(int bytes) {
        if (bytes < 0 || bytes > limit - position) {
            throw truncated(bytes);
        }
    }

    private WireException truncated(int bytes) {
        return new WireException(
                ErrorCode.MALFORMED_FRAME,
                "expected " + bytes + " more bytes in the frame, found " + (limit - position));
    }
}
