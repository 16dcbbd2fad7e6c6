package winnow.broker.session;

import java.util.List;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.Ask;
import winnow.wire.frame.AskCommit;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.BrowseEnd;
import winnow.wire.frame.CancelParts;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.CreateTemporary;
import winnow.wire.frame.Decide;
import winnow.wire.frame.DeleteSubscription;
import winnow.wire.frame.DeleteTemporary;
import winnow.wire.frame.DeliveryCut;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.EndSession;
import winnow.wire.frame.GiveBack;
import winnow.wire.frame.ListPrepared;
import winnow.wire.frame.Mark;
import winnow.wire.frame.PartsFrame;
import winnow.wire.frame.PartsRefused;
import winnow.wire.frame.Prepared;
import winnow.wire.frame.Recall;
import winnow.wire.frame.Recover;
import winnow.wire.frame.Reject;
import winnow.wire.frame.SessionFrame;

/// The permissions that each frame needs. The compiler finds the frame that is missing here.
/// Messages and credit are no frames of this kind: they name what was opened before.
final class FrameNeeds {
    private FrameNeeds() {}

    /// All of them are needed.
    static List<Need> of(ControlFrame frame) {
        return switch (frame) {
            case ControlFrame.Open open ->
                    List.of(Need.of(Permission.SEND, open.kind(), open.name()));
            case ControlFrame.Subscribe subscribe ->
                    List.of(
                            Need.of(
                                    Permission.RECEIVE,
                                    subscribe.source().kind(),
                                    subscribe.source().destination()));
            case SessionFrame session -> of(session);
            case PartsFrame parts -> of(parts);
            // The handshake asks for the client identifier.
            case ControlFrame.Hello _, ControlFrame.Response _ -> List.of();
            case ControlFrame.Heartbeat _, ControlFrame.Goodbye _ -> List.of();
            // What the connection has opened itself.
            case ControlFrame.Release _, ControlFrame.Unsubscribe _ -> List.of();
            // Names of properties, which all clients share.
            case ControlFrame.Intern _ -> List.of();
            case ControlFrame.Welcome _,
                    ControlFrame.Challenge _,
                    ControlFrame.Accepted _,
                    ControlFrame.Refused _,
                    ControlFrame.Published _,
                    ControlFrame.PublishRefused _,
                    ControlFrame.Names _,
                    ControlFrame.Blocked _ ->
                    List.of();
        };
    }

    private static List<Need> of(SessionFrame frame) {
        return switch (frame) {
            case Consume consume -> of(consume);
            case DeleteSubscription delete -> List.of(toSubscribe(delete.subscription()));
            case CreateTemporary _ -> List.of(Need.of(Permission.TEMPORARY));
            // A transaction of the user's own needs none, and SessionBranches knows whose it is.
            case Decide _, ListPrepared _ -> List.of();
            // What the connection has opened or made itself.
            case BeginSession _,
                    EndSession _,
                    EndConsumer _,
                    Acknowledge _,
                    Recover _,
                    Commit _,
                    AskCommit _,
                    DeleteTemporary _,
                    EndBranch _,
                    Mark _,
                    Ask _,
                    GiveBack _,
                    Reject _ ->
                    List.of();
            case BrowseEnd _, Prepared _, Recall _ -> List.of();
        };
    }

    private static List<Need> of(PartsFrame frame) {
        return switch (frame) {
            // What the connection has begun itself.
            case CancelParts _ -> List.of();
            case PartsRefused _, DeliveryCut _ -> List.of();
        };
    }

    /// Permissions that a consumer of a session needs as long as it exists.
    static List<Need> of(Consume consume) {
        String name = consume.source().destination();
        return switch (consume.role()) {
            case QUEUE -> List.of(Need.of(Permission.RECEIVE, consume.source().kind(), name));
            case BROWSER -> List.of(Need.of(Permission.BROWSE, consume.source().kind(), name));
            case SHARED, SHARED_DURABLE, DURABLE ->
                    List.of(
                            Need.of(Permission.RECEIVE, consume.source().kind(), name),
                            toSubscribe(consume.subscription()));
        };
    }

    private static Need toSubscribe(String subscription) {
        return new Need(Permission.SUBSCRIBE, ProtectedKind.SUBSCRIPTION, subscription);
    }
}
