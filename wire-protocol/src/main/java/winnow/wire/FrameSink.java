package winnow.wire;

/// Takes the frames that a [FrameSplitter] finds.
@FunctionalInterface
public interface FrameSink {
    /// One complete frame.
    ///
    /// @param type the byte behind the length, see [FrameType]
    /// @param payload the bytes behind the type; borrowed until this method returns, its array
    ///   until [#onFramesEnd]. That of a frame of more than [FrameSplitter#SCRATCH_BYTES] is not
    ///   borrowed, but the frame's alone: nobody may change it
    void onFrame(int type, WireReader payload);

    /// A frame that is longer than [FrameSplitter#maxKeptBytes]: the rest of it is skipped.
    ///
    /// @param beginning the first bytes behind the type; borrowed until this method returns
    /// @param length of type and fields
    default void onSkipped(int type, WireReader beginning, int length) {}

    /// True if a frame may come that is longer than what one read brings. If not, it and what
    /// follows waits until more is fed: the sink stops reading, and feeds nothing to try again.
    ///
    /// @param payload the bytes behind the type; borrowed until this method returns
    default boolean accepts(int type, WireReader payload) {
        return true;
    }

    /// True if the last frame is not done with: until it is, no other comes. Then more is to be
    /// fed, even if that is nothing.
    default boolean isBusy() {
        return false;
    }

    /// The array that held the frames since the last call is about to be used again.
    default void onFramesEnd() {}
}
