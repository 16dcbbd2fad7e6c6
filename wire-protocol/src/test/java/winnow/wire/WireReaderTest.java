package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireReaderTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 16_383, 16_384, 1 << 21, 1 << 28, Integer.MAX_VALUE})
    void shouldReadVarintsAsWritten(int value) {
        WireWriter writer = new WireWriter(1);
        writer.writeVarint(value);

        WireReader reader = new WireReader().wrap(writer.array(), 0, writer.size());

        assertThat(reader.readVarint()).isEqualTo(value);
        assertThat(reader.remaining()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 127, 128, 1L << 35, 1L << 56, Long.MAX_VALUE})
    void shouldReadVarlongsAsWritten(long value) {
        WireWriter writer = new WireWriter(1);
        writer.writeVarlong(value);

        WireReader reader = new WireReader().wrap(writer.array(), 0, writer.size());

        assertThat(reader.readVarlong()).isEqualTo(value);
        assertThat(reader.remaining()).isZero();
    }

    @Test
    void shouldRefuseAVarintOfMoreThan31Bits() {
        byte[] tooLong = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x08};
        byte[] endless = {-1, -1, -1, -1, -1, -1};

        assertThatThrownBy(() -> readerOf(tooLong).readVarint()).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> readerOf(endless).readVarint()).isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseAVarlongOfMoreThan63Bits() {
        byte[] endless = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 0};

        assertThatThrownBy(() -> readerOf(endless).readVarlong()).isInstanceOf(WireException.class);
    }

    @Test
    void shouldNotReadBeyondItsFrame() {
        // given a string that claims more than the frame holds, though the array goes on
        byte[] array = {5, 'a', 'b', 'c', 'd', 'e'};
        WireReader reader = new WireReader().wrap(array, 0, 4);

        // when, then
        assertThatThrownBy(reader::readString)
                .isInstanceOf(WireException.class)
                .hasMessage("expected 5 more bytes in the frame, found 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "é€😀", "what was replaced before: \uFFFD"})
    void shouldReadStringsAsWritten(String text) {
        WireWriter writer = new WireWriter(1);
        writer.writeString(text);

        assertThat(readerOf(writer.toByteArray()).readString()).isEqualTo(text);
    }

    @Test
    void shouldRefuseAStringThatIsNotUtf8() {
        byte[] loneByte = {1, (byte) 0xFF};
        byte[] cutShort = {3, 'a', (byte) 0xE2, (byte) 0x82};

        assertThatThrownBy(() -> readerOf(loneByte).readString()).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> readerOf(cutShort).readString()).isInstanceOf(WireException.class);
    }

    @Test
    void shouldReadNumbersOfEveryWidth() {
        // given
        WireWriter writer = new WireWriter(1);
        writer.writeByte(-1);
        writer.writeShort(-2);
        writer.writeInt(-3);
        writer.writeLong(-4);

        // when
        WireReader reader = readerOf(writer.toByteArray());

        // then
        assertThat(reader.readUnsignedByte()).isEqualTo(255);
        assertThat(reader.readShort()).isEqualTo((short) -2);
        assertThat(reader.readInt()).isEqualTo(-3);
        assertThat(reader.readLong()).isEqualTo(-4);
        assertThatThrownBy(reader::readByte).isInstanceOf(WireException.class);
    }

    private static WireReader readerOf(byte[] array) {
        return new WireReader().wrap(array, 0, array.length);
    }
}
