package winnow.client.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import winnow.client.destination.WinnowQueue;
import winnow.client.destination.WinnowTopic;
import winnow.wire.WireWriter;

/// Messages through their block: what was written is read, with the modes of the specification.
class MessageRoundTripTest {
    private final NameTable names = new NameTable();

    private byte[] block(WinnowMessage message) throws JMSException {
        message.prepare(names);
        WireWriter out = new WireWriter(16);
        message.writeBlock(out);
        assertThat((long) out.size()).isLessThanOrEqualTo(message.maxBlockBytes());
        return out.toByteArray();
    }

    private WinnowMessage received(WinnowMessage message) throws JMSException {
        MessageOrigin origin =
                new MessageOrigin(WinnowTopic.parse("t"), names, () -> {}, AllowedClasses.NONE);
        return ReceivedMessages.of(block(message), origin, 99, 1);
    }

    @Test
    void shouldCarryAllHeadersAndProperties() throws Exception {
        // given
        WinnowMessage message = new WinnowMessage();
        message.assignId(-2, 300);
        message.setJMSTimestamp(1_000);
        message.setJMSExpiration(2_000);
        message.setJMSDeliveryTime(1_500);
        message.setJMSPriority(0);
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message.setJMSCorrelationID("#7 ä");
        message.setJMSType("quote");
        message.setJMSReplyTo(WinnowQueue.parse("answers"));
        message.setBooleanProperty("b", true);
        message.setByteProperty("by", (byte) -1);
        message.setShortProperty("s", Short.MIN_VALUE);
        message.setIntProperty("i", Integer.MIN_VALUE);
        message.setLongProperty("l", Long.MAX_VALUE);
        message.setFloatProperty("f", Float.NaN);
        message.setDoubleProperty("d", -0.0);
        message.setStringProperty("text", "ü");
        message.setStringProperty("none", null);

        // when
        WinnowMessage read = received(message);

        // then
        assertThat(read.getJMSMessageID()).isEqualTo("ID:fffffffffffffffe-300");
        assertThat(read.getJMSTimestamp()).isEqualTo(1_000);
        assertThat(read.getJMSExpiration()).isEqualTo(2_000);
        assertThat(read.getJMSDeliveryTime()).isEqualTo(1_500);
        assertThat(read.getJMSPriority()).isZero();
        assertThat(read.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(read.getJMSCorrelationID()).isEqualTo("#7 ä");
        assertThat(read.getJMSCorrelationIDAsBytes()).asString(UTF_8).isEqualTo("#7 ä");
        assertThat(read.getJMSType()).isEqualTo("quote");
        assertThat(read.getJMSReplyTo()).isEqualTo(WinnowQueue.parse("answers"));
        assertThat(read.getJMSDestination()).isEqualTo(WinnowTopic.parse("t"));
        assertThat(Collections.list(read.getPropertyNames()))
                .containsExactly(
                        "b", "by", "s", "i", "l", "f", "d", "text", "none", "JMSXDeliveryCount");
        for (String name : Collections.list(message.getPropertyNames())) {
            assertThat(read.getObjectProperty(name)).isEqualTo(message.getObjectProperty(name));
        }
        assertThat(read.frameBytes()).isEqualTo(99);
    }

    @Test
    void shouldMakeReceivedMessagesReadOnlyUntilCleared() throws Exception {
        // given
        WinnowTextMessage message = new WinnowTextMessage();
        message.setText("x");
        message.setIntProperty("p", 1);
        TextMessage read = (TextMessage) received(message);

        // when, then
        assertThatThrownBy(() -> read.setText("y"))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> read.setIntProperty("p", 2))
                .isInstanceOf(MessageNotWriteableException.class);
        read.clearBody();
        read.clearProperties();
        assertThat(read.getText()).isNull();
        assertThat(read.propertyExists("p")).isFalse();
        assertThat(read.propertyExists("JMSXDeliveryCount")).isFalse();
        assertThat(read.getObjectProperty("JMSXDeliveryCount")).isNull();
        assertThat(read.getPropertyNames().hasMoreElements()).isFalse();
        read.setText("y");
        read.setIntProperty("p", 2);
        TextMessage again = (TextMessage) received((WinnowMessage) read);
        assertThat(again.getText()).isEqualTo("y");
        assertThat(again.getIntProperty("p")).isEqualTo(2);
    }

    @Test
    void shouldRefuseAFilterInReplyTo() throws Exception {
        // given
        WinnowMessage message = new WinnowMessage();
        WinnowTopic filtered = WinnowTopic.parse("answers?correlationId=[#7;#13]");

        // when, then
        assertThatThrownBy(() -> message.setJMSReplyTo(filtered))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("send to 'answers'");
        message.setJMSReplyTo(filtered.withoutFilter());
        assertThat(received(message).getJMSReplyTo()).isEqualTo(WinnowTopic.parse("answers"));
    }

    @Test
    void shouldHaveNoPropertyWithoutAName() throws Exception {
        // given
        WinnowMessage local = new WinnowMessage();
        for (Message message : List.of(local, received(local))) {
            // when, then
            assertThat(message.propertyExists(null)).isFalse();
            assertThat(message.getObjectProperty(null)).isNull();
            assertThat(message.getStringProperty(null)).isNull();
        }
    }

    @Test
    void shouldForwardAReceivedMessageUnchanged() throws Exception {
        // given
        WinnowBytesMessage bytes = new WinnowBytesMessage();
        bytes.writeBytes(new byte[] {1, 2, 3});
        bytes.setJMSCorrelationID("c");
        bytes.setStringProperty("p", "v");
        WinnowTextMessage text = new WinnowTextMessage();
        text.setText("word");

        // when, then
        assertThat(block(received(bytes))).isEqualTo(block(bytes));
        assertThat(block(received(text))).isEqualTo(block(text));
    }

    @Test
    void shouldCarryText() throws Exception {
        // given
        for (String text : new String[] {null, "", "ä€😀"}) {
            WinnowTextMessage message = new WinnowTextMessage();
            message.setText(text);

            // when
            TextMessage read = (TextMessage) received(message);

            // then
            assertThat(read.getText()).isEqualTo(text);
            assertThat(read.getBody(String.class)).isEqualTo(text);
            assertThat(read.isBodyAssignableTo(CharSequence.class)).isTrue();
            assertThat(read.isBodyAssignableTo(Integer.class)).isEqualTo(text == null);
        }
    }

    @Test
    void shouldRefuseHalfASurrogatePair() throws Exception {
        // given
        for (String broken : new String[] {"a\uD83D", "\uDE00b", "ä\uD83D😀"}) {
            WinnowTextMessage text = new WinnowTextMessage();
            text.setText(broken);
            WinnowMessage property = new WinnowMessage();
            property.setStringProperty("p", broken);
            WinnowMessage correlationId = new WinnowMessage();
            correlationId.setJMSCorrelationID(broken);
            WinnowMessage type = new WinnowMessage();
            type.setJMSType(broken);
            WinnowMapMessage value = new WinnowMapMessage();
            value.setString("s", broken);
            WinnowMapMessage name = new WinnowMapMessage();
            name.setInt(broken, 1);
            WinnowStreamMessage stream = new WinnowStreamMessage();
            stream.writeString(broken);

            // when, then
            for (WinnowMessage message :
                    List.of(text, property, correlationId, type, value, name, stream)) {
                assertThatThrownBy(() -> block(message))
                        .isInstanceOf(MessageFormatException.class)
                        .hasMessageContaining("half a surrogate pair");
            }
        }
    }

    @Test
    void shouldCarryBytes() throws Exception {
        // given
        WinnowBytesMessage message = new WinnowBytesMessage();
        message.writeBoolean(true);
        message.writeByte((byte) -2);
        message.writeShort((short) -3);
        message.writeChar('ß');
        message.writeInt(-4);
        message.writeLong(-5);
        message.writeFloat(1.5f);
        message.writeDouble(-2.5);
        message.writeUTF("ä\0€");
        message.writeObject(7L);
        message.writeBytes(new byte[] {9, 8, 7}, 1, 1);
        assertThatThrownBy(message::readByte).isInstanceOf(MessageNotReadableException.class);

        // when
        BytesMessage read = (BytesMessage) received(message);

        // then
        assertThat(read.readBoolean()).isTrue();
        assertThat(read.readUnsignedByte()).isEqualTo(254);
        assertThat(read.readUnsignedShort()).isEqualTo(65533);
        assertThat(read.readChar()).isEqualTo('ß');
        assertThat(read.readInt()).isEqualTo(-4);
        assertThat(read.readLong()).isEqualTo(-5);
        assertThat(read.readFloat()).isEqualTo(1.5f);
        assertThat(read.readDouble()).isEqualTo(-2.5);
        assertThat(read.readUTF()).isEqualTo("ä\0€");
        assertThat(read.readLong()).isEqualTo(7);
        assertThatThrownBy(read::readInt).isInstanceOf(MessageEOFException.class);
        byte[] rest = new byte[4];
        assertThat(read.readBytes(rest)).isEqualTo(1);
        assertThat(rest[0]).isEqualTo((byte) 8);
        assertThat(read.readBytes(rest)).isEqualTo(-1);
        assertThatThrownBy(() -> read.writeByte((byte) 1))
                .isInstanceOf(MessageNotWriteableException.class);
        read.reset();
        assertThat(read.readBoolean()).isTrue();
        assertThat(read.getBody(byte[].class)).hasSize((int) read.getBodyLength());
    }

    @Test
    void shouldAppendToBytesThatWereSentBefore() throws Exception {
        // given
        WinnowBytesMessage message = new WinnowBytesMessage();
        message.writeInt(1);
        block(message);

        // when
        message.writeInt(2);

        // then
        BytesMessage read = (BytesMessage) received(message);
        assertThat(read.getBodyLength()).isEqualTo(8);
        assertThat(read.readLong()).isEqualTo(1L << 32 | 2);
    }

    @Test
    void shouldCarryMaps() throws Exception {
        // given
        WinnowMapMessage message = new WinnowMapMessage();
        message.setChar("c", 'x');
        message.setBytes("b", new byte[] {1, 2});
        message.setObject("n", null);
        message.setInt("i", 5);
        message.setString("s", "5");

        // when
        WinnowMapMessage read = (WinnowMapMessage) received(message);

        // then
        assertThat(Collections.list(read.getMapNames())).containsExactly("c", "b", "n", "i", "s");
        assertThat(read.getChar("c")).isEqualTo('x');
        assertThat(read.getBytes("b")).containsExactly(1, 2);
        assertThat(read.itemExists("n")).isTrue();
        assertThat(read.getObject("n")).isNull();
        assertThat(read.getLong("i")).isEqualTo(5);
        assertThat(read.getLong("s")).isEqualTo(5);
        assertThat(read.isBodyAssignableTo(Map.class)).isTrue();
        assertThatThrownBy(() -> read.getInt("b")).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> read.getChar("s")).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> read.setInt("i", 1))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> message.setInt("", 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setObject("o", new UUID(1, 1)))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldCarryStreams() throws Exception {
        // given
        WinnowStreamMessage message = new WinnowStreamMessage();
        message.writeInt(1);
        message.writeString("2");
        message.writeBytes(new byte[] {1, 2, 3});
        message.writeObject(null);
        message.writeChar('c');

        // when
        StreamMessage read = (StreamMessage) received(message);

        // then
        assertThatThrownBy(read::readByte).isInstanceOf(MessageFormatException.class);
        assertThat(read.readLong()).isEqualTo(1);
        assertThat(read.readInt()).isEqualTo(2);
        byte[] part = new byte[2];
        assertThat(read.readBytes(part)).isEqualTo(2);
        assertThatThrownBy(read::readInt).isInstanceOf(MessageFormatException.class);
        assertThat(read.readBytes(part)).isEqualTo(1);
        assertThat(read.readObject()).isNull();
        assertThat(read.readChar()).isEqualTo('c');
        assertThatThrownBy(read::readInt).isInstanceOf(MessageEOFException.class);
        read.reset();
        assertThat(read.readString()).isEqualTo("1");
        assertThatThrownBy(() -> read.getBody(Object.class))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldEndABytesFieldThatFitsExactly() throws Exception {
        // given
        WinnowStreamMessage message = new WinnowStreamMessage();
        message.writeBytes(new byte[] {1, 2});
        message.writeInt(3);
        message.reset();
        byte[] part = new byte[2];

        // when, then
        assertThat(message.readBytes(part)).isEqualTo(2);
        assertThat(message.readBytes(part)).isEqualTo(-1);
        assertThat(message.readInt()).isEqualTo(3);
    }

    @Test
    void shouldRefusePartsThatAnArrayDoesNotHave() throws Exception {
        // given
        byte[] three = {1, 2, 3};
        WinnowStreamMessage stream = new WinnowStreamMessage();
        WinnowMapMessage map = new WinnowMapMessage();

        // when, then
        assertThatThrownBy(() -> stream.writeBytes(three, 1, 3))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> map.setBytes("b", three, 1, 3))
                .isInstanceOf(IndexOutOfBoundsException.class);
        stream.writeBytes(three, 1, 2);
        map.setBytes("b", three, 1, 2);
        assertThat(map.getBytes("b")).containsExactly(2, 3);
        StreamMessage read = (StreamMessage) received(stream);
        assertThat((byte[]) read.readObject()).containsExactly(2, 3);
        assertThatThrownBy(read::readObject).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldShortenACachedHeadOnceNumbersAreKnown() throws Exception {
        // given
        WinnowMessage message = new WinnowMessage();
        message.setIntProperty("region", 1);
        int inline = block(message).length;
        assertThat(names.takeRequests()).containsExactly("region");
        assertThat(block(message)).hasSize(inline);
        assertThat(names.hasRequests()).isFalse();

        // when
        names.add(1, List.of("other", "region"));

        // then
        assertThat(block(message)).hasSize(inline - 7);
        assertThat(received(message).getIntProperty("region")).isEqualTo(1);
        message.setIntProperty("region", 2);
        assertThat(received(message).getIntProperty("region")).isEqualTo(2);
    }

    @Test
    void shouldForgetCachedPartsWhenTheyChange() throws Exception {
        // given
        WinnowTextMessage message = new WinnowTextMessage();
        message.setText("one");
        message.setJMSCorrelationID("a");
        block(message);

        // when
        message.setText("two");
        message.setJMSCorrelationID("b");
        message.setJMSType("t");

        // then
        WinnowTextMessage read = (WinnowTextMessage) received(message);
        assertThat(read.getText()).isEqualTo("two");
        assertThat(read.getJMSCorrelationID()).isEqualTo("b");
        assertThat(read.getJMSType()).isEqualTo("t");
        message.setText(null);
        assertThat(((TextMessage) received(message)).getText()).isNull();
    }

    @Test
    void shouldCopyForeignMessages() throws Exception {
        // given
        WinnowStreamMessage original = new WinnowStreamMessage();
        original.writeInt(1);
        original.setIntProperty("p", 2);
        original.setJMSCorrelationID("c");
        WinnowBytesMessage bytes = new WinnowBytesMessage();
        bytes.writeBytes(new byte[100_000]);

        // when
        WinnowMessage copy = ForeignMessages.copy(original);
        WinnowMessage bytesCopy = ForeignMessages.copy(bytes);

        // then
        assertThat(block(copy)).isEqualTo(block(original));
        assertThat(block(bytesCopy)).isEqualTo(block(bytes));
        copy.assignId(1, 2);
        copy.setJMSTimestamp(3);
        ForeignMessages.copyHeadersBack(copy, original);
        assertThat(original.getJMSMessageID()).isEqualTo("ID:0000000000000001-2");
        assertThat(original.getJMSTimestamp()).isEqualTo(3);
    }
}
