package winnow.broker.session;

import java.util.ArrayList;
import java.util.List;
import winnow.wire.ControlFrame;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireReader;

/// Keeps the frames that a producer gets, and counts the credit.
final class FakeOutput implements Output {
    private final FakeSessionLoop loop;
    final List<ControlFrame> frames = new ArrayList<>();
    long granted;
    boolean reading = true;

    FakeOutput(FakeSessionLoop loop) {
        this.loop = loop;
    }

    @Override
    public FakeSessionLoop loop() {
        return loop;
    }

    @Override
    public void write(ControlFrame frame) {
        frames.add(frame);
    }

    @Override
    public void appendFrames(byte[] array, int start, int end) {
        WireReader in = new WireReader().wrap(array, start + Protocol.LENGTH_BYTES, end);
        if (in.readUnsignedByte() == FrameType.PRODUCER_CREDIT) {
            while (in.remaining() > 0) {
                in.readVarint();
                granted += in.readVarint();
            }
        }
    }

    @Override
    public void pauseReading(boolean pause) {
        reading = !pause;
    }

    @Override
    public boolean isReading() {
        return reading;
    }

    @Override
    public void flushFirst() {}

    @Override
    public void closeAfterFlush() {}

    @Override
    public String address() {
        return "";
    }

    @Override
    public void maxFrameBytes(int maxFrameBytes) {}

    @Override
    public boolean wroteSinceLastAsked() {
        return false;
    }

    @Override
    public boolean readSinceLastAsked() {
        return false;
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void deliver(long message, int subscriptionId, byte[] array, int start, int end) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int place() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void place(int newPlace) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean announceNames(int maxNameId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void identify(long connectionId, String clientId) {}

    @Override
    public long socketProgress() {
        return 0;
    }

    @Override
    public long contendedFrame() {
        return 0;
    }

    /// Whether others wait for the room of this client's frame.
    boolean keepsWantedRoom;

    @Override
    public boolean keepsWantedRoom() {
        return keepsWantedRoom;
    }

    @Override
    public void limitBytes(int bytes) {}

    @Override
    public void closeNow() {}

    @Override
    public void onFault(Throwable fault) {
        throw new AssertionError(fault);
    }
}
