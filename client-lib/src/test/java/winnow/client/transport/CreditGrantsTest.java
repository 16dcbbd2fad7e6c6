package winnow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

class CreditGrantsTest {
    @Test
    void shouldPutAllGrantsIntoOneFrame() {
        // given
        CreditGrants grants = new CreditGrants();
        for (int i = 1; i <= 10; i++) {
            grants.add(i, i * 100, i * 10_000);
        }
        WireWriter out = new WireWriter(8);

        // when
        grants.writeTo(out);
        int size = out.size();
        grants.writeTo(out);

        // then
        assertThat(out.size()).isEqualTo(size);
        WireReader in = new WireReader().wrap(out.array(), 0, size);
        assertThat(in.readInt()).isEqualTo(size - 4);
        assertThat(in.readUnsignedByte()).isEqualTo(FrameType.CONSUMER_CREDIT);
        for (int i = 1; i <= 10; i++) {
            assertThat(in.readVarint()).isEqualTo(i);
            assertThat(in.readVarint()).isEqualTo(i * 100);
            assertThat(in.readVarint()).isEqualTo(i * 10_000);
        }
        in.requireEnd();
    }

    @Test
    void shouldWriteNoFrameThatABrokerRefuses() {
        // given
        CreditGrants grants = new CreditGrants();
        int subscriptions = Protocol.MAX_ID;
        for (int id = 1; id <= subscriptions; id++) {
            grants.add(id, Integer.MAX_VALUE, Integer.MAX_VALUE);
        }
        WireWriter out = new WireWriter(8);

        // when
        grants.writeTo(out);

        // then
        WireReader in = new WireReader().wrap(out.array(), 0, out.size());
        int next = 1;
        while (in.remaining() > 0) {
            int length = in.readInt();
            assertThat(length).isBetween(2, Protocol.MAX_HANDSHAKE_FRAME_BYTES);
            int end = in.position() + length;
            assertThat(in.readUnsignedByte()).isEqualTo(FrameType.CONSUMER_CREDIT);
            while (in.position() < end) {
                assertThat(in.readVarint()).isEqualTo(next++);
                assertThat(in.readVarint()).isEqualTo(Integer.MAX_VALUE);
                assertThat(in.readVarint()).isEqualTo(Integer.MAX_VALUE);
            }
            assertThat(in.position()).isEqualTo(end);
        }
        assertThat(next - 1).isEqualTo(subscriptions);
    }
}
