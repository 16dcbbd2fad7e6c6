package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.transport.FrameDecoder;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.Source;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Publish;

/// Frames with many delivery ids while commands take too much memory.
class FrameDecoderTest {
    /// Of two bytes each.
    private static final int MANY = 2000;

    private final FakeSessionLoop loop = new FakeSessionLoop(new BacklogMemory(1 << 20));
    private final SessionContext context = loop.context(1 << 20);
    private final FakeOutput output = new FakeOutput(loop);
    private final ClientConnection connection = new ClientConnection(context, output);
    private final FrameDecoder decoder = new FrameDecoder(connection);

    @BeforeEach
    void beginSession() {
        long capabilities = Protocol.STORED;
        give(new ControlFrame.Hello(capabilities, "", "ANONYMOUS", "", 60_000, "test"));
        loop.runAllCommands();
        give(new BeginSession(1, 1, false));
        output.frames.clear();
        String owner = connection.account().owner();
        // More than what each owner has first.
        context.commands().add(owner, context.commands().limitBytes() / 64);
        context.commands().add("other", context.commands().limitBytes());
    }

    @AfterEach
    void close() {
        connection.onDisconnected();
        context.storage().close();
    }

    /// @return the array of the frame
    private byte[] give(ControlFrame frame) {
        WireWriter out = new WireWriter(64);
        frame.writeFields(out);
        decoder.onFrame(frame.type(), new WireReader().wrap(out.array(), 0, out.size()));
        return out.array();
    }

    /// @param session one that does not exist, so that the answer is immediate
    private static ControlFrame acknowledge(int session, int ids) {
        long[] odd = IntStream.range(0, ids).mapToLong(i -> 1 + 2L * i).toArray();
        return new Acknowledge(9, session, DeliveryRanges.of(odd));
    }

    @Test
    void shouldCarryOutAHeldFrameAsItCame() {
        // given
        byte[] array = give(acknowledge(7, MANY));
        assertThat(output.frames).isEmpty();
        assertThat(output.reading).isFalse();

        // when its array is used again, and there is memory
        Arrays.fill(array, (byte) 0xFF);
        context.commands().giveBack("other", context.commands().limitBytes());
        connection.onTick();

        // then
        assertThat(output.frames)
                .singleElement()
                .isInstanceOfSatisfying(
                        ControlFrame.Refused.class,
                        refused -> assertThat(refused.requestId()).isEqualTo(9));
        assertThat(output.reading).isTrue();
    }

    @Test
    void shouldLetFramesThroughThatBringFewDeliveries() {
        // when
        give(acknowledge(7, 10));

        // then
        assertThat(output.frames).hasSize(1);
        assertThat(output.reading).isTrue();
    }

    @Test
    void shouldLetLongFramesThroughThatBringNoDeliveries() {
        // when
        Source source =
                new Source(DestinationKind.QUEUE, "q", "x = '" + "y".repeat(4000) + "'", "");
        give(new Consume(9, 1, 7, ConsumerRole.QUEUE, source, "", false, 1, 1000));

        // then
        assertThat(output.frames).hasSize(1);
        assertThat(output.reading).isTrue();
    }

    @Test
    void shouldRefuseWhatIsSentAgainInATransaction() {
        // given
        WireWriter out = new WireWriter(64);
        out.writeVarint(1);
        Publish.writeFlags(out, Publish.CONFIRM, 5, 1);
        out.writeByte(0);
        out.writeByte(0);
        WireReader frame = new WireReader().wrap(out.array(), 0, out.size());

        // when, then
        assertThatThrownBy(() -> decoder.onFrame(FrameType.PUBLISH, frame))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected none in a transaction");
    }
}
