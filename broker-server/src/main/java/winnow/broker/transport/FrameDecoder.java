package winnow.broker.transport;

import java.util.Arrays;
import winnow.broker.session.ClientConnection;
import winnow.broker.session.ClientMessages;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.FrameSink;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Publish;
import winnow.wire.frame.PublishInParts;

/// Reads the frames of one native connection and gives what they say to its [ClientConnection].
/// Owned by the connection's event loop.
public final class FrameDecoder implements FrameSink {
    /// Shorter frames do not wait for memory of what they bring.
    private static final int SMALL_BYTES = 1024;

    /// Of a range of delivery ids in a frame, at least.
    private static final int RANGE_FRAME_BYTES = 2;

    private static final int RANGE_HEAP_BYTES = 2 * Long.BYTES;

    private final ClientConnection connection;
    private final ClientMessages messages;
    private final MessageBlock block = new MessageBlock();

    /// @param connection gets what the frames say
    public FrameDecoder(ClientConnection connection) {
        this.connection = connection;
        this.messages = connection.messages();
    }

    @Override
    public void onFrame(int type, WireReader payload) {
        boolean open = connection.isOpen();
        if (open && type == FrameType.PUBLISH) {
            onPublish(payload);
        } else if (open && type == FrameType.CONSUMER_CREDIT) {
            onCredit(payload);
        } else if (open && FrameType.isPart(type) && connection.hasParts()) {
            onPart(type, payload);
        } else if (!connection.closed() && !hold(type, payload)) {
            connection.request(ControlFrame.decode(type, payload));
        }
    }

    private void onPublish(WireReader in) {
        int frameBytes = Protocol.LENGTH_BYTES + 1 + in.remaining();
        int handle = in.readVarint();
        int flags = Publish.readFlags(in);
        long again = readNumber(in, flags);
        int session = readSession(in, flags);
        block.parseFields(in.array(), in.position(), in.limit());
        messages.publish(handle, isConfirmed(flags), again, session, block, frameBytes);
    }

    private static boolean isConfirmed(int flags) {
        return (flags & Publish.CONFIRM) != 0;
    }

    private static long readNumber(WireReader in, int flags) {
        if ((flags & Publish.NUMBERED) != 0 && (flags & Publish.TRANSACTED) != 0) {
            throw new WireException(
                    ErrorCode.UNEXPECTED_FRAME,
                    "a publish that is sent again: expected none in a transaction");
        }
        return Publish.readNumber(in, flags);
    }

    private static int readSession(WireReader in, int flags) {
        return (flags & Publish.TRANSACTED) != 0 ? in.readVarint() : 0;
    }

    private void onPart(int type, WireReader in) {
        int frameBytes = Protocol.LENGTH_BYTES + 1 + in.remaining();
        int handle = in.readVarint();
        if (type == FrameType.PUBLISH_PART) {
            boolean own = frameBytes > FrameSplitter.SCRATCH_BYTES;
            messages.publishPart(handle, in.array(), in.position(), in.limit(), own, frameBytes);
            return;
        }
        int flags = Publish.readFlags(in);
        long again = readNumber(in, flags);
        int session = readSession(in, flags);
        int bodyBytes = PublishInParts.readBodyBytes(in);
        block.parseFields(in.array(), in.position(), in.limit());
        messages.publishInParts(
                handle, isConfirmed(flags), again, session, bodyBytes, block, frameBytes);
    }

    /// Credit for any number of consumers.
    private void onCredit(WireReader in) {
        do {
            messages.credit(in.readVarint(), in.readVarint(), in.readVarint());
        } while (in.remaining() > 0);
    }

    /// Keeps a frame with many delivery ids if there is no room for them.
    private boolean hold(int type, WireReader payload) {
        int bytes = payload.remaining();
        return bytes > SMALL_BYTES
                && FrameType.hasDeliveries(type)
                && connection.hold(heapBytes(bytes), () -> later(type, payload));
    }

    /// The most that the ids of a frame can take when they are read.
    private static long heapBytes(int frameBytes) {
        long ranges = Math.min(frameBytes / RANGE_FRAME_BYTES, DeliveryRanges.MAX_RANGES);
        return ranges * RANGE_HEAP_BYTES;
    }

    private Runnable later(int type, WireReader payload) {
        WireReader kept = new WireReader();
        if (payload.limit() <= FrameSplitter.SCRATCH_BYTES) {
            byte[] copy = Arrays.copyOfRange(payload.array(), payload.position(), payload.limit());
            kept.wrap(copy, 0, copy.length);
        } else {
            kept.wrap(payload.array(), payload.position(), payload.limit());
        }
        return () -> {
            try {
                connection.request(ControlFrame.decode(type, kept));
            } catch (WireException e) {
                connection.onProtocolError(e);
            }
        };
    }

    @Override
    public boolean accepts(int type, WireReader payload) {
        return type != FrameType.PUBLISH
                || !connection.isOpen()
                || messages.accepts(payload.readVarint());
    }

    @Override
    public boolean isBusy() {
        return connection.isBusy();
    }

    @Override
    public void onFramesEnd() {
        block.clear();
        connection.onReadEnd();
    }
}
