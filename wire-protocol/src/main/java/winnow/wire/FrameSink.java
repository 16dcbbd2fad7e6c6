package winnow.wire;

/// Takes the frames that a [FrameSplitter] finds.
@FunctionalInterface
public interface FrameSink {
    /// One complete frame.
    ///
    /// @param type the byte behind the length, see [FrameType]
    /// @param payload the bytes behind the type; borrowed until this method returns, its array
    ///   until [#onFramesEnd]
    void onFrame(int type, WireReader payload);

    /// The array that held the frames since the last call is about to be used again.
    default void onFramesEnd() {}
}
