package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Frames that are longer than is kept: their rest is skipped.
class FrameSkipTest {
    private static final int LONG = 1_000_000;

    private final FrameSplitter splitter =
            new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], 2 * LONG);
    private final List<String> seen = new ArrayList<>();

    private final FrameSink sink =
            new FrameSink() {
                @Override
                public void onFrame(int type, WireReader payload) {
                    seen.add(type + ":" + payload.remaining());
                }

                @Override
                public void onSkipped(int type, WireReader beginning, int length) {
                    seen.add(type + " skipped:" + length + " with " + beginning.readVarint());
                }
            };

    private static void frame(ByteBuf out, int type, int length) {
        out.writeInt(length);
        out.writeByte(type);
        out.writeByte(77);
        out.writeZero(length - 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4096, 65_536, 3 * LONG})
    void shouldSkipTheRestOfALongFrame(int piece) {
        // given
        splitter.maxKeptBytes(100_000);
        ByteBuf bytes = Unpooled.buffer();
        frame(bytes, 1, 10);
        frame(bytes, 2, LONG);
        frame(bytes, 3, 100_000);
        frame(bytes, 4, LONG + 1);
        frame(bytes, 5, 3);
        int most = 0;

        // when
        while (bytes.isReadable()) {
            splitter.feed(bytes.readSlice(Math.min(piece, bytes.readableBytes())), sink);
            most = Math.max(most, splitter.reservedBytes());
        }

        // then
        assertThat(seen)
                .containsExactly(
                        "1:9",
                        "2 skipped:1000000 with 77",
                        "3:99999",
                        "4 skipped:1000001 with 77",
                        "5:2");
        assertThat(most).isLessThan(200_000);
        assertThat(splitter.pendingBytes()).isZero();
    }
}
