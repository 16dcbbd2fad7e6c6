package winnow.broker.session;

import winnow.broker.subscription.DeliveryTarget;
import winnow.wire.ControlFrame;
import winnow.wire.WireWriter;

/// What a connection writes to. Frames are collected and leave together: at the end of the loop's
/// iteration if an answer is among them, else when it is the connection's turn. Owned by the
/// connection's event loop.
public interface Output extends DeliveryTarget {
    @Override
    SessionLoop loop();

    /// Calls [#flushFirst] and appends a control frame.
    void write(ControlFrame frame);

    /// Appends a frame. A large one is copied piece by piece, and what is appended meanwhile comes
    /// behind it.
    ///
    /// @param head its beginning; borrowed
    /// @param rest the rest of it, which must not be changed until it has been copied
    /// @param copied called then, perhaps at once; not at all if the connection ends before
    /// @return false if there is no memory for it now; the connection's deliveries are drained when
    ///   there is
    boolean appendFrame(WireWriter head, byte[] rest, Runnable copied);

    /// What is collected at the end of this iteration leaves then, because somebody waits for it.
    /// Call it before appending.
    void flushFirst();

    /// Sends what is pending, then closes the connection; nothing is read any more.
    void closeAfterFlush();

    /// Who the client is, for people: in the log, in the API and in what producers are told.
    ///
    /// @param application empty if unknown
    void identify(long connectionId, String clientId, String application);

    /// How many bytes the socket still has to take, less what it has taken of the first of them: 0
    /// if there is nothing, and another number whenever it has taken some.
    long socketProgress();

    /// Number of the frame that has not arrived whole and for whose room others wait, 0 if there is
    /// none.
    long contendedFrame();

    /// Whether bytes of a frame of this client are kept while frames of others wait for room.
    boolean keepsWantedRoom();

    /// Whether there is memory enough to keep what was read while the connection is not read.
    boolean hasRoomForPause();

    /// What the socket may hold before it takes no more deliveries.
    void limitBytes(int bytes);

    /// Closes the connection at once, whatever is pending.
    void closeNow();

    /// Whether the client's bytes are read; until told otherwise they are while the socket takes
    /// what is written. A frame that was not accepted comes again when they are.
    void pauseReading(boolean pause);

    /// Whether the client is read at the moment.
    boolean isReading();

    /// Where the client is, without its port.
    String address();

    /// The same, and what TLS says of the client.
    Authenticator.Peer peer();

    /// Limit of the frames that follow.
    void maxFrameBytes(int maxFrameBytes);

    /// Whether anything was written since the last call.
    boolean wroteSinceLastAsked();

    /// Whether anything was read since the last call.
    boolean readSinceLastAsked();
}
