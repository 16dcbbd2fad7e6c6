package winnow.broker.session;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import winnow.broker.security.Authenticator;
import winnow.broker.subscription.RecordingTarget;
import winnow.wire.frame.ControlFrame;

/// Output and input of a client whose protocol has no bytes: keeps the answers and deliveries that
/// it gets, and counts the credit of its producers. What its socket does the test says.
public final class FakeOutput extends RecordingTarget implements Output, ClientInput {
    private final FakeSessionLoop loop;
    private boolean wrote;

    /// True if credit was granted of which the client is not told.
    private boolean untold;

    /// Answers, in their order.
    public final List<ControlFrame> frames = new ArrayList<>();

    final List<Stored> deliveries = new ArrayList<>();
    long granted;
    boolean roomForPause = true;
    boolean reading = true;

    /// What is done when the client is read again.
    Runnable onReading = () -> {};

    /// What is done when something of the client fails.
    Runnable onFault = () -> {};

    /// True if the client sends something before each time that is asked.
    boolean receives;

    long socketProgress;
    long contendedFrame;

    /// True if others wait for the room of this client's frame.
    boolean keepsWantedRoom;

    /// A delivery of a session.
    record Stored(int consumer, long delivery, int earlierDeliveries, String block) {}

    public FakeOutput(FakeSessionLoop loop) {
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
    public void onFault(Throwable fault) {
        super.onFault(fault);
        onFault.run();
    }

    @Override
    public ClientInput input() {
        return this;
    }

    @Override
    public void grant(int handle, int bytes) {
        granted += bytes;
        untold = true;
    }

    @Override
    public void flushCredit() {
        wrote |= untold;
        untold = false;
    }

    @Override
    public boolean deliverStored(
            int consumer, long delivery, int earlierDeliveries, byte[] block, Runnable copied) {
        deliveries.add(
                new Stored(consumer, delivery, earlierDeliveries, new String(block, US_ASCII)));
        copied.run();
        return true;
    }

    @Override
    public boolean deliverInParts(
            int consumer,
            long delivery,
            int earlierDeliveries,
            int bodyBytes,
            byte[] head,
            Runnable copied) {
        return deliverStored(consumer, delivery, earlierDeliveries, head, copied);
    }

    @Override
    public boolean deliverPart(int consumer, byte[] part, Runnable copied) {
        return deliverStored(consumer, 0, 0, part, copied);
    }

    @Override
    public void pause(boolean pause) {
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
