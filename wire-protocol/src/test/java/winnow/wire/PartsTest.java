package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import winnow.wire.frame.DeliveryInParts;
import winnow.wire.frame.DeliveryPart;
import winnow.wire.frame.Publish;
import winnow.wire.frame.PublishInParts;
import winnow.wire.frame.PublishPart;

/// The frames of messages in parts that are written in place.
class PartsTest {
    private final WireWriter out = new WireWriter(16);

    /// Reads a frame's length and type.
    private WireReader fields(int type) {
        WireReader in = new WireReader().wrap(out.array(), 0, out.size());
        assertThat(in.readInt()).isEqualTo(out.size() - Protocol.LENGTH_BYTES);
        assertThat(in.readUnsignedByte()).isEqualTo(type);
        return in;
    }

    @Test
    void shouldBeginAMessage() {
        // when
        int mark = PublishInParts.begin(out, 300, Publish.CONFIRM, 0, 0, 5_000_000);
        out.writeByte(7);
        out.endFrame(mark);

        // then
        WireReader in = fields(FrameType.PUBLISH_IN_PARTS);
        assertThat(in.readVarint()).isEqualTo(300);
        assertThat(Publish.readFlags(in)).isEqualTo(Publish.CONFIRM);
        assertThat(PublishInParts.readBodyBytes(in)).isEqualTo(5_000_000);
        assertThat(in.readByte()).isEqualTo((byte) 7);
        assertThat(in.remaining()).isZero();
    }

    @Test
    void shouldBeginAMessageOfATransaction() {
        // when
        int mark = PublishInParts.begin(out, 3, 0, 0, 9, 1);
        out.endFrame(mark);

        // then
        WireReader in = fields(FrameType.PUBLISH_IN_PARTS);
        assertThat(in.readVarint()).isEqualTo(3);
        assertThat(Publish.readFlags(in)).isEqualTo(Publish.TRANSACTED);
        assertThat(in.readVarint()).isEqualTo(9);
        assertThat(PublishInParts.readBodyBytes(in)).isEqualTo(1);
    }

    @Test
    void shouldRefuseABodyWithoutBytes() {
        // given
        out.writeVarint(0);
        WireReader in = new WireReader().wrap(out.array(), 0, out.size());

        // then
        assertThatThrownBy(() -> PublishInParts.readBodyBytes(in))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("at least 1 byte");
    }

    @Test
    void shouldSendAPart() {
        // when
        PublishPart.write(out, 300, new byte[] {1, 2, 3, 4}, 3);

        // then
        WireReader in = fields(FrameType.PUBLISH_PART);
        assertThat(in.readVarint()).isEqualTo(300);
        assertThat(in.remaining()).isEqualTo(3);
        assertThat(in.readByte()).isEqualTo((byte) 1);
    }

    @Test
    void shouldRefuseAPartThatIsEmptyOrTooLong() {
        assertThatThrownBy(() -> PublishPart.check(0, 10)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> PublishPart.check(11, 10))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("1 to 10 bytes, found 11");
        assertThatThrownBy(() -> PublishPart.check(Protocol.MAX_PART_BYTES + 1, 1 << 30))
                .isInstanceOf(WireException.class);
        PublishPart.check(Protocol.MAX_PART_BYTES, 1 << 30);
    }

    @Test
    void shouldBeginADelivery() {
        // when
        DeliveryInParts.write(out, 2, 1L << 40, 3, 70_000, 2);
        out.writeRaw(new byte[] {5, 6}, 0, 2);

        // then
        WireReader in = fields(FrameType.DELIVERY_IN_PARTS);
        assertThat(in.readVarint()).isEqualTo(2);
        assertThat(in.readVarlong()).isEqualTo(1L << 40);
        assertThat(in.readVarint()).isEqualTo(3);
        assertThat(in.readVarint()).isEqualTo(70_000);
        assertThat(in.remaining()).isEqualTo(2);
    }

    @Test
    void shouldDeliverAPart() {
        // when
        DeliveryPart.write(out, 2, 3);
        out.writeRaw(new byte[] {7, 8, 9}, 0, 3);

        // then
        WireReader in = fields(FrameType.DELIVERY_PART);
        assertThat(in.readVarint()).isEqualTo(2);
        assertThat(in.remaining()).isEqualTo(3);
    }
}
