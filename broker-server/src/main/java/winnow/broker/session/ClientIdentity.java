package winnow.broker.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.destination.Destination;
import winnow.broker.destination.HeldProducer;
import winnow.broker.identity.ProvenUser;
import winnow.broker.matching.RefusedException;
import winnow.broker.metrics.BlockReason;
import winnow.wire.PeerDescription;

/// Tells whose a connection is: its number, its user, and what the client says of itself. Written
/// by the connection's event loop; does not change after the handshake.
final class ClientIdentity implements ProducerIdentity {
    private final SessionContext context;
    private final Output output;
    private final MetadataAccount account;
    private final ConnectionAccess access;
    private volatile long id;
    private String clientId = "";
    private String owner = "";
    private String claimed = "";
    private ProvenUser proven = ProvenUser.nobody();
    private PeerDescription description = new PeerDescription("", "", "");
    private long bytes;

    ClientIdentity(
            SessionContext context,
            Output output,
            MetadataAccount account,
            ConnectionAccess access) {
        this.access = access;
        this.context = context;
        this.output = output;
        this.account = account;
    }

    /// To be called before the client identifier is taken.
    ///
    /// @throws winnow.broker.matching.RefusedException if there is no room for what the client says
    ///   of itself
    void charge(long newBytes, PeerDescription said) {
        account.charge(newBytes);
        bytes = newBytes;
        description = said;
    }

    /// The client says that it is a user whose password it knows, which is not proved yet.
    ///
    /// @param user empty if it says none
    void claim(String user) {
        claimed = user;
    }

    /// True if the client says that it is that user.
    boolean claims(String user) {
        return claimed.equals(user);
    }

    /// The client has proved who it is.
    void prove(ProvenUser user) {
        proven = user;
    }

    /// User of the connection, nobody if clients need no credentials or before the handshake.
    ProvenUser proven() {
        return proven;
    }

    /// The handshake is done.
    ///
    /// @param newClientId taken
    void accept(long newId, String newClientId, String newOwner) {
        clientId = newClientId;
        owner = newOwner;
        output.identify(newId, newClientId, description.application());
        id = newId;
    }

    /// Number of the connection, 0 before the handshake is done. Any thread.
    long id() {
        return id;
    }

    /// User or address for whom the names count that the client brings.
    String owner() {
        return owner;
    }

    /// Empty if clients need no credentials, or before the handshake is done.
    String user() {
        return id == 0 ? "" : proven.name();
    }

    /// Description for people.
    ConnectionInfo info(int consumers, int producers) {
        return new ConnectionInfo(
                "%016x".formatted(id),
                clientId,
                description.application(),
                description.host(),
                user(),
                output.address(),
                false,
                consumers,
                producers);
    }

    @Override
    public boolean sees(Destination destination) {
        return access.sees(destination);
    }

    @Override
    public boolean seesAll() {
        return context.access().current() == null;
    }

    /// Description of a producer that is held back, for people. Any thread.
    @Override
    public HeldProducer heldProducer(BlockReason limit, Instant since) {
        return new HeldProducer(
                "%016x".formatted(id), clientId, user(), output.address(), limit, since);
    }

    /// The connection has gone, and its client does not come back.
    void release() {
        if (!clientId.isEmpty()) {
            context.connections().releaseClientId(clientId);
        }
        account.giveBack(bytes);
        bytes = 0;
    }

    /// The connection has gone, and its client may come back.
    ///
    /// @return null if there is no room for it, which the log is told
    @Nullable AwayClient leave(TemporaryDestinations temporaries, ConnectionLog log) {
        try {
            account.charge(AwayClient.HEAP_BYTES);
        } catch (RefusedException e) {
            log.onRefused(e);
            return null;
        }
        return new AwayClient(
                context,
                id,
                clientId,
                description,
                proven,
                output.address(),
                temporaries.leave(),
                account,
                bytes + AwayClient.HEAP_BYTES);
    }
}
