package winnow.broker.transport;

import io.netty.channel.Channel;
import winnow.broker.session.ClientInput;
import winnow.wire.FrameSplitter;

/// Reading side of a native connection. Owned by the connection's event loop.
final class FrameInput implements ClientInput {
    private final Channel channel;
    private final FrameSplitter splitter;
    private final ConnectionOutput output;
    private Runnable onHeldFrame = () -> {};
    private boolean paused;
    private boolean stopped;
    private boolean read;

    FrameInput(Channel channel, FrameSplitter splitter, ConnectionOutput output) {
        this.channel = channel;
        this.splitter = splitter;
        this.output = output;
    }

    @Override
    public void pause(boolean pause) {
        paused = pause;
        update();
        if (!pause && splitter.holdsFrame()) {
            onHeldFrame.run();
        }
    }

    @Override
    public boolean isReading() {
        return stopped || (output.writable() && !paused && !splitter.isWaiting());
    }

    /// Applies a change of what decides whether the client is read.
    void update() {
        channel.config().setAutoRead(isReading());
    }

    /// Frames are not split any more. What comes is read until the socket closes.
    void stop() {
        stopped = true;
        splitter.stop();
    }

    /// True after [#stop].
    boolean isStopped() {
        return stopped;
    }

    /// Has the frame looked at again that the splitter holds.
    void onHeldFrame(Runnable again) {
        onHeldFrame = again;
    }

    /// Something was read.
    void onRead() {
        read = true;
    }

    @Override
    public boolean readSinceLastAsked() {
        boolean result = read;
        read = false;
        return result;
    }

    @Override
    public long contendedFrame() {
        return splitter.contendedFrame();
    }

    @Override
    public boolean keepsWantedRoom() {
        return splitter.keepsWantedRoom();
    }

    @Override
    public boolean hasRoomForPause() {
        return splitter.hasRoomForPause();
    }

    @Override
    public void maxFrameBytes(int maxFrameBytes) {
        splitter.maxFrameBytes(maxFrameBytes);
    }
}
