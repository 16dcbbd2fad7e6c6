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
                Mark {}
