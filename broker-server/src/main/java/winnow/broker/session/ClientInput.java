package winnow.broker.session;

/// Reading side of a connection. Owned by the connection's event loop.
public interface ClientInput {
    /// Pauses or resumes reading from the client; until told otherwise it is read while the socket
    /// takes what is written. A request that was not accepted comes again when it is read.
    void pause(boolean pause);

    /// True if the client is read at the moment.
    boolean isReading();

    /// True if anything was read since the last call.
    boolean readSinceLastAsked();

    /// Number of the frame that has not arrived whole and for whose room others wait, 0 if there is
    /// none.
    default long contendedFrame() {
        return 0;
    }

    /// True if bytes of a frame of this client are kept while frames of others wait for room.
    default boolean keepsWantedRoom() {
        return false;
    }

    /// True if there is memory enough to keep what was read while the connection is not read.
    default boolean hasRoomForPause() {
        return true;
    }

    /// Sets the limit of the frames that follow.
    default void maxFrameBytes(int maxFrameBytes) {}
}
