package winnow.broker.transport;

import org.jspecify.annotations.Nullable;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;

/// Writes the control frames of all connections of a loop, so that the array for a long one is
/// there once. Owned by the loop.
final class ControlWriter {
    private static final int ARRAY_BYTES = 1024;

    /// Longest array that is kept: most frames have some bytes, and those with a message for people
    /// a few KiB.
    private static final int KEPT_BYTES = 64 * 1024;

    /// Null while it is in use: a write may be the reason for another one.
    private @Nullable WireWriter spare;

    /// Appends a frame to a connection's output.
    void append(ControlFrame frame, ConnectionOutput output) {
        WireWriter known = spare;
        WireWriter out = known == null ? new WireWriter(ARRAY_BYTES) : known;
        spare = null;
        out.clear();
        frame.write(out);
        output.appendFrames(out.array(), 0, out.size());
        spare = out.array().length > KEPT_BYTES ? null : out;
    }
}
