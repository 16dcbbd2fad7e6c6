package winnow.broker.session;

import java.util.ArrayList;
import java.util.List;
import winnow.broker.subscription.RecordingTarget;
import winnow.wire.ControlFrame;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Keeps the frames that a client gets, and counts the credit of its producers. What its socket
/// does the test says.
final class FakeOutput extends RecordingTarget implements Output {
    private final FakeSessionLoop loop;
    private boolean wrote;

    final List<ControlFrame> frames = new ArrayList<>();
    long granted;
    boolean roomForPause = true;
    boolean reading = true;

    /// What is done when the client is read again.
    Runnable onReading = () -> {};

    /// Whether the client sends something before each time that is asked.
    boolean receives;

    long socketProgress;
    long contendedFrame;

    /// Whether others wait for the room of this client's frame.
    boolean keepsWantedRoom;

    FakeOutput(FakeSessionLoop loop) {
        super(loop);
        this.loop = loop;
    }

    @Override
    public FakeSessionLoop loop() {
        return loop;
    }

    @Override
    public void write(ControlFrame frame) {
        frames.add(frame);
        wrote = true;
    }

    @Override
    public void appendFrames(byte[] array, int start, int end) {
        wrote = true;
        WireReader in = new WireReader().wrap(array, start + Protocol.LENGTH_BYTES, end);
        if (in.readUnsignedByte() == FrameType.PRODUCER_CREDIT) {
            while (in.remaining() > 0) {
                in.readVarint();
                granted += in.readVarint();
            }
        }
    }

    @Override
    public boolean appendFrame(WireWriter head, byte[] rest, Runnable copied) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void pauseReading(boolean pause) {
        reading = !pause;
        if (reading) {
            onReading.run();
        }
    }

    @Override
    public boolean isReading() {
        return reading && writable;
    }

    @Override
    public void flushFirst() {}

    @Override
    public void closeAfterFlush() {}

    @Override
    public void closeNow() {}

    @Override
    public void identify(long connectionId, String clientId, String application) {}

    @Override
    public String address() {
        return "";
    }

    @Override
    public Authenticator.Peer peer() {
        return new Authenticator.Peer(address(), true);
    }

    @Override
    public void maxFrameBytes(int maxFrameBytes) {}

    @Override
    public void limitBytes(int bytes) {}

    @Override
    public boolean wroteSinceLastAsked() {
        boolean result = wrote;
        wrote = false;
        return result;
    }

    @Override
    public boolean readSinceLastAsked() {
        return receives;
    }

    @Override
    public long socketProgress() {
        return socketProgress;
    }

    @Override
    public long contendedFrame() {
        return contendedFrame;
    }

    @Override
    public boolean hasRoomForPause() {
        return roomForPause;
    }

    @Override
    public boolean keepsWantedRoom() {
        return keepsWantedRoom;
    }
}
