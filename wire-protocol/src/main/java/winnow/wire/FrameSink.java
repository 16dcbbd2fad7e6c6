package winnow.wire;

/// Takes the frames that a [FrameSplitter] finds.
@FunctionalInterface
public interface FrameSink {
    /// One complete frame.
    ///
    /// @param type the byte behind the length, see [FrameType]
    /// @param payload the bytes behind the type; borrowed until this method returns
    void onFrame(int type, WireReader payload);
}
