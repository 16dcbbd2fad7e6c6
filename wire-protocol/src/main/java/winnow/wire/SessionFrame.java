package winnow.wire;

/// The frames of sessions, which acknowledge what they receive: in use on a connection whose two
/// sides have both set [Protocol#STORED].
public sealed interface SessionFrame extends ControlFrame
        permits BeginSession,
                EndSession,
                Consume,
                EndConsumer,
                Acknowledge,
                Recover,
                Commit,
                DeleteSubscription,
                CreateTemporary,
                DeleteTemporary,
                BrowseEnd,
                EndBranch,
                Decide,
                ListPrepared,
                Prepared,
                Mark,
                Ask,
                GiveBack,
                Reject,
                Recall {
    /// Reads one of the frames about what goes back to the broker.
    ///
    /// @throws WireException if `type` is no frame at all
    static SessionFrame readReturn(int type, WireReader in) {
        return switch (type) {
            case FrameType.ASK -> Ask.read(in);
            case FrameType.GIVE_BACK -> GiveBack.read(in);
            case FrameType.REJECT -> Reject.read(in);
            case FrameType.RECALL -> Recall.read(in);
            default ->
                    throw new WireException(
                            ErrorCode.MALFORMED_FRAME,
                            "expected a frame type of this protocol, found 0x"
                                    + Integer.toHexString(type));
        };
    }
}
