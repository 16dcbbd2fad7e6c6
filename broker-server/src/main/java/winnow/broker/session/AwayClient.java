package winnow.broker.session;

import winnow.broker.budget.MetadataAccount;
import winnow.broker.identity.ProvenUser;
import winnow.wire.PeerDescription;

/// Remains of a client whose connection was lost, until it comes back or its time is over: the
/// number of the connection, the client identifier and the temporary destinations. Thread-safe: it
/// does not change, and belongs to one place at a time.
///
/// @param clientId empty if it has none
/// @param proven nobody if clients need no credentials
/// @param account charged for what is kept
/// @param bytes of it, without the temporary destinations
record AwayClient(
        SessionContext context,
        long connectionId,
        String clientId,
        PeerDescription description,
        ProvenUser proven,
        String address,
        TemporaryDestinations.Kept temporaries,
        MetadataAccount account,
        long bytes) {
    /// Of a client that is away, beside what it has.
    static final long HEAP_BYTES = 768;

    String user() {
        return proven.name();
    }

    /// It does not come back, or too late.
    void end() {
        temporaries.end();
        if (!clientId.isEmpty()) {
            context.connections().releaseClientId(clientId);
        }
        release();
    }

    /// Another connection is charged for it.
    void release() {
        account.giveBack(bytes);
    }

    ConnectionInfo info() {
        return new ConnectionInfo(
                "%016x".formatted(connectionId),
                clientId,
                description.application(),
                description.host(),
                user(),
                address,
                true,
                0,
                0);
    }
}
