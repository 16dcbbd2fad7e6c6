package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageBlockTest {
    private final MessageBlock block = new MessageBlock();

    @Test
    void shouldFindEveryField() {
        // given
        byte[] bytes = fullBlock();

        // when
        block.parse(bytes, 0, bytes.length);

        // then
        assertThat(block.persistent()).isTrue();
        assertThat(block.bodyType()).isEqualTo(BodyType.TEXT);
        assertThat(block.nullBody()).isFalse();
        assertThat(block.messageId()).isEqualTo("ID:000000000000002a-300");
        assertThat(block.timestamp()).isEqualTo(1_700_000_000_000L);
        assertThat(block.priority()).isEqualTo(9);
        assertThat(block.expiration()).isEqualTo(1_800_000_000_000L);
        assertThat(block.deliveryTime()).isEqualTo(1_750_000_000_000L);
        assertThat(text(bytes, block.correlationIdIndex(), block.correlationIdLength()))
                .isEqualTo("#7");
        assertThat(text(bytes, block.typeIndex(), block.typeLength())).isEqualTo("tick");
        assertThat(text(bytes, block.bodyIndex(), block.bodyLength())).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(ints = {PropertyType.BYTES, PropertyType.CHAR})
    void shouldRefusePropertiesOfTypesThatOnlyBodiesHave(int type) {
        for (int nameId : new int[] {1, 300}) {
            WireWriter entry = new WireWriter(16);
            entry.writeVarint(nameId);
            entry.writeByte(type);
            entry.writeShort(0x0141);
            WireWriter out = new WireWriter(16);
            out.writeByte(MessageBlock.HAS_PROPERTIES);
            out.writeByte(0);
            out.writeBytes(entry.toByteArray());

            assertThatThrownBy(() -> block.parse(out.array(), 0, out.size()))
                    .isInstanceOf(WireException.class)
                    .hasMessage("expected a property type 0 to 9, found " + type);
        }
    }

    @Test
    void shouldGiveTheArrayBack() {
        byte[] bytes = fullBlock();
        block.parse(bytes, 0, bytes.length);

        block.clear();

        assertThat(block.array()).isEmpty();
        assertThat(block.length()).isZero();
    }

    @Test
    void shouldWalkOverProperties() {
        // given
        byte[] bytes = fullBlock();
        block.parse(bytes, 0, bytes.length);
        PropertyCursor cursor = new PropertyCursor();

        // when, then
        block.properties(cursor);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.inlineName()).isEqualTo("p");
        assertThat(cursor.type()).isEqualTo(PropertyType.STRING);
        assertThat(cursor.string()).isEqualTo("#0");
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.nameId()).isEqualTo(5);
        assertThat(cursor.integer()).isEqualTo(-12);
        assertThat(cursor.next()).isFalse();
    }

    @Test
    void shouldRefuseEveryPrefixThatEndsBeforeTheBody() {
        byte[] bytes = fullBlock();
        block.parse(bytes, 0, bytes.length);
        int bodyIndex = block.bodyIndex();

        for (int end = 0; end < bodyIndex; end++) {
            int length = end;
            assertThatThrownBy(() -> block.parse(bytes, 0, length))
                    .as("prefix of " + length + " bytes")
                    .isInstanceOf(WireException.class);
        }
    }

    @Test
    void shouldReadTheSmallestBlock() {
        block.parse(new byte[] {0, 0}, 0, 2);

        assertThat(block.bodyType()).isEqualTo(BodyType.NONE);
        assertThat(block.priority()).isEqualTo(MessageBlock.DEFAULT_PRIORITY);
        assertThat(block.correlationIdLength()).isEqualTo(-1);
        assertThat(block.expiration()).isZero();
        assertThat(block.bodyLength()).isZero();
        PropertyCursor cursor = new PropertyCursor();
        block.properties(cursor);
        assertThat(cursor.next()).isFalse();
    }

    @Test
    void shouldReadThePriorityAlone() {
        assertThat(MessageBlock.priority(fullBlock())).isEqualTo(9);
        assertThat(MessageBlock.priority(new byte[] {0, 0}))
                .isEqualTo(MessageBlock.DEFAULT_PRIORITY);
        assertThatThrownBy(
                        () -> MessageBlock.priority(new byte[] {0, MessageBlock.HAS_PRIORITY, 10}))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("found 10");
    }

    @Test
    void shouldForgetTheMessageBefore() {
        byte[] full = fullBlock();
        block.parse(full, 0, full.length);

        block.parse(new byte[] {0, 0}, 0, 2);

        PropertyCursor cursor = new PropertyCursor();
        block.properties(cursor);
        assertThat(cursor.next()).isFalse();
        assertThat(block.typeLength()).isEqualTo(-1);
        assertThat(block.timestamp()).isZero();
    }

    @Test
    void shouldRefuseBitsAndValuesWithoutMeaning() {
        assertRefused(new byte[] {0x40, 0}, "flags");
        assertRefused(new byte[] {6 << 1, 0}, "body type");
        assertRefused(new byte[] {0, MessageBlock.HAS_PRIORITY, 10}, "priority");
        assertRefused(new byte[] {0, (byte) MessageBlock.HAS_REPLY_TO, 3, 0}, "destination kind");
        assertRefused(
                new byte[] {MessageBlock.HAS_PROPERTIES, 0, 2, 1, 99}, "property type 0 to 9");
        assertRefused(new byte[] {MessageBlock.HAS_PROPERTIES, 0, 3, 0, 0, 1}, "property name");
    }

    @ParameterizedTest
    @ValueSource(ints = {MessageBlock.HAS_EXPIRATION, MessageBlock.HAS_DELIVERY_TIME})
    void shouldRefuseTimesThatAreNoneOfALong(int presence) {
        byte[] bytes = {0, (byte) presence, -128, 0, 0, 0, 0, 0, 0, 0};
        assertRefused(bytes, "below 2^63 ms, found 9223372036854775808");

        bytes[2] = 127;
        block.parse(bytes, 0, bytes.length);
    }

    @Test
    void shouldPadTheConnectionInTheMessageId() {
        assertThat(MessageBlock.messageId(-1, 0)).isEqualTo("ID:ffffffffffffffff-0");
        assertThat(MessageBlock.messageId(0, 7)).isEqualTo("ID:0000000000000000-7");
    }

    private void assertRefused(byte[] bytes, String what) {
        assertThatThrownBy(() -> block.parse(bytes, 0, bytes.length))
                .isInstanceOf(WireException.class)
                .hasMessageContaining(what);
    }

    private static byte[] fullBlock() {
        WireWriter properties = new WireWriter(32);
        properties.writeVarint(0);
        properties.writeString("p");
        properties.writeByte(PropertyType.STRING);
        properties.writeString("#0");
        properties.writeVarint(5);
        properties.writeByte(PropertyType.INT);
        properties.writeInt(-12);

        WireWriter out = new WireWriter(128);
        out.writeByte(
                MessageBlock.PERSISTENT
                        | BodyType.TEXT.number() << MessageBlock.BODY_TYPE_SHIFT
                        | MessageBlock.HAS_PROPERTIES);
        out.writeByte(0xFF);
        out.writeLong(42);
        out.writeVarlong(300);
        out.writeLong(1_700_000_000_000L);
        out.writeByte(9);
        out.writeLong(1_800_000_000_000L);
        out.writeLong(1_750_000_000_000L);
        out.writeString("#7");
        out.writeString("tick");
        out.writeByte(DestinationKind.TOPIC.number());
        out.writeString("answers");
        out.writeVarint(properties.size());
        out.writeRaw(properties.array(), 0, properties.size());
        byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
        out.writeRaw(body, 0, body.length);
        return out.toByteArray();
    }

    private static String text(byte[] array, int index, int length) {
        return new String(array, index, length, StandardCharsets.UTF_8);
    }
}
