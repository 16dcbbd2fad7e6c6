package winnow.broker.session;

import winnow.broker.matching.RefusedException;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.frame.AskCommit;
import winnow.wire.frame.SessionFrame;

/// Abilities of a client beyond the first version of the protocol. Owned by the connection's event
/// loop.
final class ClientAbilities {
    private boolean stored;
    private boolean parts;
    private boolean recalls;

    /// @param capabilities of the client's Hello
    void onHello(long capabilities) {
        stored = (capabilities & Protocol.STORED) != 0;
        parts = stored && (capabilities & Protocol.PARTS) != 0;
        recalls = (capabilities & Protocol.RECALL) != 0;
    }

    /// True if it knows messages in parts.
    boolean parts() {
        return parts;
    }

    /// True if it gives back what it has not begun when it is asked to.
    boolean recalls() {
        return recalls;
    }

    /// True if it may send a frame of sessions.
    ///
    /// @param returning whether it can come back
    boolean knows(SessionFrame frame, boolean returning) {
        return stored && (returning || !(frame instanceof AskCommit));
    }

    /// @throws RefusedException if it does not know such destinations
    void check(DestinationKind kind) {
        if (kind == DestinationKind.QUEUE && !stored) {
            throw new RefusedException(
                    ErrorCode.NOT_SUPPORTED, "queues need a client that knows sessions");
        }
    }
}
