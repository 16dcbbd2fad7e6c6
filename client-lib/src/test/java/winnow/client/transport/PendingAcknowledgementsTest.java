package winnow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.wire.DeliveryRanges;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.ControlFrame;

class PendingAcknowledgementsTest {
    private final PendingAcknowledgements pending = new PendingAcknowledgements();

    private List<Acknowledge> written() {
        WireWriter out = new WireWriter(8);
        pending.writeTo(out);
        WireReader in = new WireReader().wrap(out.array(), 0, out.size());
        List<Acknowledge> frames = new ArrayList<>();
        while (in.remaining() > 0) {
            int length = in.readInt();
            assertThat(length).isLessThanOrEqualTo(Protocol.MAX_HANDSHAKE_FRAME_BYTES);
            int end = in.position() + length;
            int type = in.readUnsignedByte();
            WireReader fields = new WireReader().wrap(out.array(), in.position(), end);
            frames.add((Acknowledge) ControlFrame.decode(type, fields));
            in.position(end);
        }
        return frames;
    }

    @Test
    void shouldPutWhatASessionAcknowledgesIntoOneFrame() {
        // given
        pending.add(1, 3);
        pending.add(2, 1);
        pending.add(1, 1);
        pending.add(1, 2);

        // when, then
        assertThat(written())
                .containsExactlyInAnyOrder(
                        new Acknowledge(0, 1, DeliveryRanges.of(1, 2, 3)),
                        new Acknowledge(0, 2, DeliveryRanges.of(1)));
        assertThat(written()).isEmpty();
    }

    @Test
    void shouldBeginAnewAfterItHasWritten() {
        // given
        pending.add(1, 1);
        written();

        // when
        pending.add(1, 2);

        // then
        assertThat(written()).containsExactly(new Acknowledge(0, 1, DeliveryRanges.of(2)));
    }

    @Test
    void shouldWriteNoFrameThatABrokerRefuses() {
        // given
        long first = Long.MAX_VALUE / 2;
        int count = 10_000;
        for (int i = 0; i < count; i++) {
            pending.add(1, first + 1000L * i);
        }

        // when
        List<Acknowledge> frames = written();

        // then
        assertThat(frames.stream().mapToInt(frame -> frame.deliveries().count()).sum())
                .isEqualTo(count);
    }
}
