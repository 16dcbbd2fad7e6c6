package winnow.wire.frame;

import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.WireException;
import winnow.wire.WireReader;

/// The frames of sessions, which acknowledge what they receive: in use on a connection whose two
/// sides have both set [winnow.wire.Protocol#STORED].
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
                Recall,
                AskCommit {
    /// Reads one of these frames.
    ///
    /// @throws WireException if `type` is no frame at all
    static SessionFrame read(int type, WireReader in) {
        return switch (type) {
            case FrameType.BEGIN_SESSION -> BeginSession.read(in);
            case FrameType.END_SESSION -> EndSession.read(in);
            case FrameType.CONSUME -> Consume.read(in);
            case FrameType.END_CONSUMER -> EndConsumer.read(in);
            case FrameType.ACKNOWLEDGE -> Acknowledge.read(in);
            case FrameType.RECOVER -> Recover.read(in);
            case FrameType.COMMIT -> Commit.read(in);
            case FrameType.DELETE_SUBSCRIPTION -> DeleteSubscription.read(in);
            case FrameType.CREATE_TEMPORARY -> CreateTemporary.read(in);
            case FrameType.DELETE_TEMPORARY -> DeleteTemporary.read(in);
            case FrameType.BROWSE_END -> BrowseEnd.read(in);
            case FrameType.END_BRANCH -> EndBranch.read(in);
            case FrameType.DECIDE -> Decide.read(in);
            case FrameType.LIST_PREPARED -> ListPrepared.read(in);
            case FrameType.PREPARED -> Prepared.read(in);
            case FrameType.MARK -> Mark.read(in);
            case FrameType.ASK_COMMIT -> AskCommit.read(in);
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
