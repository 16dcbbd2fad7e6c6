package winnow.broker.session;

import winnow.wire.FrameType;
import winnow.wire.WireWriter;

/// Gathers the credit of a connection's producers into one ProducerCredit frame. Owned by the
/// connection's event loop.
final class Grants {
    private final Output output;
    private final WireWriter frame = new WireWriter(64);
    private int mark = -1;

    Grants(Output output) {
        this.output = output;
    }

    void add(int handle, int bytes) {
        if (mark < 0) {
            frame.clear();
            mark = frame.beginFrame(FrameType.PRODUCER_CREDIT);
        }
        frame.writeVarint(handle);
        frame.writeVarint(bytes);
    }

    /// Sends what has gathered.
    void flush() {
        if (mark >= 0) {
            frame.endFrame(mark);
            mark = -1;
            output.flushFirst();
            output.appendFrames(frame.array(), 0, frame.size());
        }
    }
}
