package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FrameSplitterTest {
    private static final int MAX_FRAME = 200_000;

    private final FrameSplitter splitter =
            new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], MAX_FRAME);
    private final List<String> frames = new ArrayList<>();

    @Test
    void shouldFindTheSameFramesHoweverTheBytesAreCut() {
        // given
        byte[] bytes = frames(new int[] {0, 1, 3, 40, 300});
        List<String> expected = feedAll(bytes, bytes.length);

        // when, then
        for (int piece = 1; piece < bytes.length; piece++) {
            assertThat(feedAll(bytes, piece)).as("pieces of " + piece).isEqualTo(expected);
        }
        assertThat(expected).hasSize(5);
    }

    @Test
    void shouldFindFramesLargerThanOneRead() {
        // given
        byte[] bytes = frames(new int[] {10, 150_000, 5, 70_000, 64 * 1024, 7});

        // when
        List<String> whole = feedAll(bytes, bytes.length);
        List<String> pieces = feedAll(bytes, 1500);

        // then
        assertThat(whole).hasSize(6).isEqualTo(pieces);
        assertThat(splitter.pendingBytes()).isZero();
    }

    @Test
    void shouldFindTheSameFramesInRandomPieces() {
        long seed = Long.getLong("winnow.seed", System.nanoTime());
        Random random = new Random(seed);
        int[] sizes = random.ints(200, 0, 5000).toArray();
        byte[] bytes = frames(sizes);
        List<String> expected = feedAll(bytes, bytes.length);

        frames.clear();
        for (int at = 0; at < bytes.length; ) {
            int size = Math.min(bytes.length - at, random.nextInt(9000));
            splitter.feed(Unpooled.wrappedBuffer(bytes, at, size), this::record);
            at += size;
        }

        assertThat(frames).as("-Dwinnow.seed=" + seed).isEqualTo(expected);
    }

    @Test
    void shouldLendTheArrayUntilItSaysThatTheFramesEnd() {
        // given
        long seed = Long.getLong("winnow.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] bytes = frames(random.ints(200, 0, 90_000).map(size -> size % 3000).toArray());
        List<String> expected = feedAll(bytes, bytes.length);
        Borrower borrower = new Borrower();

        // when
        for (int at = 0; at < bytes.length; ) {
            int size = Math.min(bytes.length - at, random.nextInt(90_000));
            splitter.feed(Unpooled.wrappedBuffer(bytes, at, size), borrower);
            at += size;
        }

        // then
        assertThat(borrower.read).as("-Dwinnow.seed=" + seed).isEqualTo(expected);
        assertThat(borrower.borrowed).isEmpty();
    }

    @Test
    void shouldSayThatTheFramesEndWhenOneIsRefused() {
        // given a good frame, then a length of zero
        WireWriter writer = new WireWriter(16);
        writer.endFrame(writer.beginFrame(5));
        writer.writeInt(0);
        Borrower borrower = new Borrower();

        // when
        assertThatThrownBy(
                        () -> splitter.feed(Unpooled.wrappedBuffer(writer.toByteArray()), borrower))
                .isInstanceOf(WireException.class);

        // then
        assertThat(borrower.read).containsExactly("5:0:0");
    }

    /// Reads the frames as late as it may.
    private static final class Borrower implements FrameSink {
        final List<WireReader> borrowed = new ArrayList<>();
        final List<Integer> types = new ArrayList<>();
        final List<String> read = new ArrayList<>();

        @Override
        public void onFrame(int type, WireReader payload) {
            types.add(type);
            borrowed.add(
                    new WireReader().wrap(payload.array(), payload.position(), payload.limit()));
        }

        @Override
        public void onFramesEnd() {
            for (int i = 0; i < borrowed.size(); i++) {
                read.add(describe(types.get(i), borrowed.get(i)));
            }
            borrowed.clear();
            types.clear();
        }
    }

    @Test
    void shouldRefuseALengthAboveTheLimitBeforeItAllocates() {
        byte[] header = {0x7F, -1, -1, -1};

        assertThatThrownBy(() -> feedAll(header, 4))
                .isInstanceOf(WireException.class)
                .hasMessage("expected a frame of at most 200000 bytes, found 2147483647");
        assertThat(splitter.pendingBytes()).isLessThanOrEqualTo(4);
    }

    @Test
    void shouldRefuseALengthOfZeroAndANegativeOne() {
        assertThatThrownBy(() -> feedAll(new byte[4], 4))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("at least 1, found 0");
        assertThatThrownBy(() -> feedAll(new byte[] {-1, -1, -1, -1}, 3))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("found 4294967295");
    }

    @Test
    void shouldGrowWithWhatArrivedNotWithWhatWasAnnounced() {
        // given a header that announces 200,000 bytes, and 100 of them
        WireWriter writer = new WireWriter(16);
        writer.writeInt(MAX_FRAME);
        writer.writeRaw(new byte[100], 0, 100);

        // when
        splitter.feed(Unpooled.wrappedBuffer(writer.toByteArray()), this::record);

        // then
        assertThat(splitter.pendingBytes()).isEqualTo(104);
        assertThat(splitter.reservedBytes()).isLessThan(1024);
    }

    @Test
    void shouldWaitForRoomAndFinishWhatWasAdmitted() {
        // given memory for one frame of 140,000 bytes, three quarters, and some for others
        FrameMemory memory = new FrameMemory(240_000);
        FrameSplitter first = splitter(memory);
        FrameSplitter second = splitter(memory);
        FrameSplitter third = splitter(memory);
        AtomicInteger admitted = new AtomicInteger();
        second.onAdmitted(admitted::incrementAndGet);
        byte[] large = frames(new int[] {140_000});
        feed(first, large, 0, 100);

        // when
        feed(second, large, 0, 40_000);

        // then
        assertThat(second.isWaiting()).isTrue();
        assertThat(first.isWaiting()).isFalse();
        assertThat(first.contendedFrame()).isPositive();

        // and a frame of usual size has room
        feed(third, frames(new int[] {30_000}), 0, 20_000);
        assertThat(third.isWaiting()).isFalse();
        assertThat(memory.usedBytes()).isBetween(200_000L, 240_000L);

        // and the second goes on when the first is whole
        feed(first, large, 100, large.length);
        assertThat(frames).hasSize(1);
        assertThat(admitted).hasValue(1);
        assertThat(second.isWaiting()).isFalse();
        feed(second, large, 40_000, large.length);
        assertThat(frames).hasSize(2);
        third.stop();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldAdmitInTurnAndForgetWhoHasGone() {
        // given
        FrameMemory memory = new FrameMemory(240_000);
        byte[] large = frames(new int[] {140_000});
        List<FrameSplitter> splitters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            splitters.add(splitter(memory));
            feed(splitters.get(i), large, 0, 100);
        }

        // when the first and one that waits have gone
        splitters.get(1).stop();
        splitters.get(0).stop();

        // then
        assertThat(splitters.stream().map(FrameSplitter::isWaiting))
                .containsExactly(false, false, false, true);
        feed(splitters.get(2), large, 100, large.length);
        assertThat(splitters.get(3).isWaiting()).isFalse();
        splitters.get(3).stop();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldRefuseWhatHasNoRoomEvenForItsBeginning() {
        // given
        FrameMemory memory = new FrameMemory(240_000);
        byte[] large = frames(new int[] {140_000});
        feed(splitter(memory), large, 0, 100);
        feed(splitter(memory), large, 0, 60_000);

        // when, then
        assertThatThrownBy(() -> feed(splitter(memory), large, 0, 60_000))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("limit of 240000 bytes reached")
                .extracting(e -> ((WireException) e).code())
                .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
    }

    @Test
    void shouldKeepNoMemoryForTheNextFrameWhenItIsScarce() {
        // given
        FrameMemory memory = new FrameMemory(30_000);
        FrameSplitter first = splitter(memory);
        FrameSplitter second = splitter(memory);
        byte[] bytes = frames(new int[] {12_000});

        // when
        feed(first, bytes, 0, 10_000);
        feed(first, bytes, 10_000, bytes.length);

        // then it is kept while the other half is free
        assertThat(first.reservedBytes()).isEqualTo(bytes.length);

        // but not any longer
        feed(second, bytes, 0, 10_000);
        feed(first, bytes, 0, 10_000);
        feed(first, bytes, 10_000, bytes.length);
        assertThat(first.reservedBytes()).isZero();
    }

    private static FrameSplitter splitter(FrameMemory memory) {
        return new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], MAX_FRAME, memory);
    }

    private void feed(FrameSplitter splitter, byte[] bytes, int from, int to) {
        splitter.feed(Unpooled.wrappedBuffer(bytes, from, to - from), this::record);
    }

    @Test
    void shouldNotHoldTheArrayOfALargeFrame() {
        // given one frame that is complete, and one of which the connection is closing
        byte[] large = frames(new int[] {150_000});
        FrameSplitter complete = splitter(new FrameMemory(1 << 20));
        FrameSplitter closing = splitter(new FrameMemory(1 << 20));
        List<WireReader> readers = new ArrayList<>();
        FrameSink sink = (type, payload) -> readers.add(payload);
        complete.feed(Unpooled.wrappedBuffer(large), sink);
        closing.feed(Unpooled.wrappedBuffer(frames(new int[] {1})), sink);
        closing.feed(Unpooled.wrappedBuffer(large, 0, 100_000), sink);

        // when
        closing.stop();

        // then
        assertThat(complete.reservedBytes()).isZero();
        assertThat(closing.reservedBytes()).isZero();
        assertThat(readers).hasSize(2).allMatch(reader -> reader.array().length == 0);
    }

    @Test
    void shouldNeverUseTheArrayOfALargeFrameAgain() {
        // given
        byte[] bytes = frames(new int[] {150_000, 10, 150_000, FrameSplitter.SCRATCH_BYTES, 100});
        List<byte[]> arrays = new ArrayList<>();
        List<byte[]> contents = new ArrayList<>();
        FrameSink sink =
                (type, payload) -> {
                    if (payload.remaining() >= FrameSplitter.SCRATCH_BYTES - 1) {
                        arrays.add(payload.array());
                        contents.add(payload.array().clone());
                    }
                };

        // when
        splitter(new FrameMemory(1 << 20)).feed(Unpooled.wrappedBuffer(bytes), sink);

        // then
        assertThat(arrays).hasSize(3).containsExactlyElementsOf(contents);
    }

    @Test
    void shouldGiveNothingAfterStop() {
        // given
        byte[] bytes = frames(new int[] {1, 2, 3});

        // when
        splitter.feed(
                Unpooled.wrappedBuffer(bytes),
                (type, payload) -> {
                    record(type, payload);
                    splitter.stop();
                });

        // then
        assertThat(frames).hasSize(1);
    }

    /// Is busy with each frame until it is told otherwise, and then looks whether it is still
    /// there.
    private final class Busy implements FrameSink {
        byte[] array = {};
        int position;
        byte[] payload = {};
        boolean busy;

        @Override
        public void onFrame(int type, WireReader in) {
            assertThat(busy).isFalse();
            array = in.array();
            position = in.position();
            payload = Arrays.copyOfRange(array, position, in.limit());
            record(type, in);
            busy = true;
        }

        void checkThatItIsThere() {
            int end = position + payload.length;
            assertThat(Arrays.copyOfRange(array, position, end)).isEqualTo(payload);
        }

        @Override
        public boolean isBusy() {
            return busy;
        }
    }

    @Test
    void shouldGiveNoFrameWhileTheSinkIsBusy() {
        // given
        byte[] bytes = frames(new int[] {10, 150_000, 5, 3000, 70_000, 7, 64 * 1024});
        List<String> expected = feedAll(bytes, bytes.length);
        frames.clear();
        FrameMemory memory = new FrameMemory(1 << 20);
        FrameSplitter busySplitter = splitter(memory);
        Busy sink = new Busy();

        // when
        for (int at = 0; at < bytes.length; at += 20_000) {
            int size = Math.min(20_000, bytes.length - at);
            busySplitter.feed(Unpooled.wrappedBuffer(bytes, at, size), sink);
        }

        // then
        for (int i = 1; i <= expected.size(); i++) {
            assertThat(frames).isEqualTo(expected.subList(0, i));
            assertThat(busySplitter.holdsFrame()).isTrue();
            assertThat(memory.usedBytes()).isPositive();
            busySplitter.feed(Unpooled.EMPTY_BUFFER, sink);
            assertThat(frames).hasSize(i);
            if (sink.payload.length > FrameSplitter.SCRATCH_BYTES) {
                sink.checkThatItIsThere();
            }
            sink.busy = false;
            busySplitter.feed(Unpooled.EMPTY_BUFFER, sink);
        }
        assertThat(busySplitter.holdsFrame()).isFalse();
        busySplitter.stop();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldFreeWhatWaitsWhenTheConnectionOfABusySinkCloses() {
        FrameMemory memory = new FrameMemory(1 << 20);
        FrameSplitter closing = splitter(memory);
        Busy sink = new Busy();
        byte[] bytes = frames(new int[] {10, 50_000, 20});
        closing.feed(Unpooled.wrappedBuffer(bytes), sink);

        closing.stop();
        sink.busy = false;
        closing.feed(Unpooled.EMPTY_BUFFER, sink);

        assertThat(frames).hasSize(1);
        assertThat(closing.holdsFrame()).isFalse();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldHoldALargeFrameAndWhatFollowsUntilItIsAccepted() {
        // given
        byte[] bytes = frames(new int[] {10, 150_000, 5, 70_000, 7});
        List<String> expected = feedAll(bytes, bytes.length);
        frames.clear();
        Accepting sink = new Accepting();

        // when
        splitter.feed(Unpooled.wrappedBuffer(bytes, 0, bytes.length - 3), sink);
        assertThat(frames).containsExactlyElementsOf(expected.subList(0, 1));
        assertThat(splitter.holdsFrame()).isTrue();
        splitter.feed(Unpooled.EMPTY_BUFFER, sink);
        splitter.feed(Unpooled.wrappedBuffer(bytes, bytes.length - 3, 2), sink);
        assertThat(frames).hasSize(1);

        // then the frame, and what follows up to the next large one
        sink.accepted = 1;
        splitter.feed(Unpooled.EMPTY_BUFFER, sink);
        assertThat(frames).isEqualTo(expected.subList(0, 3));
        assertThat(splitter.holdsFrame()).isTrue();
        sink.accepted = 1;
        splitter.feed(Unpooled.wrappedBuffer(bytes, bytes.length - 1, 1), sink);
        assertThat(frames).isEqualTo(expected);
        assertThat(splitter.holdsFrame()).isFalse();
    }

    @Test
    void shouldForgetAFrameThatItHoldsWhenItIsStopped() {
        byte[] bytes = frames(new int[] {150_000, 5});
        Accepting sink = new Accepting();
        splitter.feed(Unpooled.wrappedBuffer(bytes), sink);

        splitter.stop();
        sink.accepted = 1;
        splitter.feed(Unpooled.EMPTY_BUFFER, sink);

        assertThat(frames).isEmpty();
        assertThat(splitter.holdsFrame()).isFalse();
        assertThat(splitter.reservedBytes()).isZero();
    }

    /// Accepts so many large frames.
    private final class Accepting implements FrameSink {
        int accepted;

        @Override
        public void onFrame(int type, WireReader payload) {
            record(type, payload);
        }

        @Override
        public boolean accepts(int type, WireReader payload) {
            return accepted-- > 0;
        }
    }

    private List<String> feedAll(byte[] bytes, int piece) {
        frames.clear();
        for (int at = 0; at < bytes.length; at += piece) {
            int size = Math.min(piece, bytes.length - at);
            splitter.feed(Unpooled.wrappedBuffer(bytes, at, size), this::record);
        }
        return List.copyOf(frames);
    }

    private void record(int type, WireReader payload) {
        frames.add(describe(type, payload));
    }

    private static String describe(int type, WireReader payload) {
        int hash = 0;
        int size = payload.remaining();
        while (payload.remaining() > 0) {
            hash = 31 * hash + payload.readByte();
        }
        return type + ":" + size + ":" + hash;
    }

    private static byte[] frames(int[] sizes) {
        WireWriter writer = new WireWriter(64);
        for (int i = 0; i < sizes.length; i++) {
            int mark = writer.beginFrame(i % 100 + 1);
            for (int j = 0; j < sizes[i]; j++) {
                writer.writeByte(i + j);
            }
            writer.endFrame(mark);
        }
        return writer.toByteArray();
    }
}
