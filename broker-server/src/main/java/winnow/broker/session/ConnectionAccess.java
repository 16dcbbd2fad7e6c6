package winnow.broker.session;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Destination;
import winnow.broker.destination.Temporaries;
import winnow.broker.matching.RefusedException;
import winnow.broker.permission.AccessControl;
import winnow.broker.permission.AuditEvent;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.permission.UserPermissions;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.shard.StoredSubscription;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// Permissions of the user of one connection. They are asked before anything is looked up, so that
/// a refusal says nothing about what is there. Owned by the connection's event loop.
final class ConnectionAccess {
    private final AccessControl control;
    private final DestinationRegistry destinations;
    private final Output output;
    private String user = "";
    private Set<String> groups = Set.of();
    private String clientId = "";
    private long connectionId;

    /// Says nothing before the handshake, in which no other frame is taken.
    private volatile UserPermissions granted = UserPermissions.all();

    ConnectionAccess(SessionContext context, Output output) {
        this.control = context.access();
        this.destinations = context.destinations();
        this.output = output;
    }

    /// The client has proved who it is.
    ///
    /// @param newUser empty if clients need no credentials
    /// @param newGroups that others say the user is in
    /// @param newClientId that it wants, empty for none
    /// @return why the user may not take the client identifier, null if it may
    @Nullable RefusedException login(String newUser, Set<String> newGroups, String newClientId) {
        user = newUser;
        groups = Set.copyOf(newGroups);
        clientId = newClientId;
        granted = control.of(user, groups);
        Need identify = identify();
        return identify == null || allows(identify) ? null : refused(identify);
    }

    /// The handshake is done.
    void accept(long newConnectionId) {
        connectionId = newConnectionId;
        if (!user.isEmpty()) {
            control.onLogin(asker(), clientId);
        }
    }

    private String connection() {
        return connectionId == 0 ? "" : "%016x".formatted(connectionId);
    }

    private @Nullable Need identify() {
        return clientId.isEmpty()
                ? null
                : new Need(Permission.IDENTIFY, ProtectedKind.CLIENT, clientId);
    }

    /// Checks a request.
    ///
    /// @throws RefusedException if the user may not ask for it
    void check(ControlFrame frame) {
        if (granted.allowEverything()) {
            return;
        }
        for (Need need : FrameNeeds.of(frame)) {
            if (isTooLong(need) || !allows(need)) {
                throw refused(need);
            }
        }
    }

    /// A name may be as long as a frame: no pattern is tried with one that nothing can have.
    private boolean isTooLong(Need need) {
        return need.name().length() > destinations.maxNameBytes();
    }

    private RefusedException refused(Need need) {
        return new RefusedException(
                ErrorCode.NOT_AUTHORIZED,
                control.refuse(asker(), need.operation(), need.kind(), need.name()));
    }

    private AccessControl.Asker asker() {
        return new AccessControl.Asker(user, output.address(), connection());
    }

    private boolean allows(Need need) {
        if (Temporaries.isTemporary(need.name())) {
            return allowsTemporary(need);
        }
        return granted.allow(need.operation(), need.kind(), need.name(), clientId);
    }

    /// Replies go to temporary destinations of others, whose names only those know who were told
    /// them: who takes part at all may send there. Nobody but its connection receives from one.
    private boolean allowsTemporary(Need need) {
        return switch (need.operation()) {
            case SEND -> granted.allowAny(Permission.SEND) || granted.allowAny(Permission.RECEIVE);
            case RECEIVE, BROWSE -> need.name().startsWith(Temporaries.prefix(connectionId));
            default -> granted.allow(need.operation(), need.kind(), need.name(), clientId);
        };
    }

    /// True if the user may view a destination.
    boolean sees(Destination destination) {
        return allows(Need.of(Permission.VIEW, destination));
    }

    /// True if the user may view a named subscription and its topic. Any thread.
    boolean sees(StoredSubscription one) {
        UserPermissions now = granted;
        String name = one.name().subscription();
        String topic = one.destination().name();
        return now.allow(Permission.VIEW, ProtectedKind.SUBSCRIPTION, name, clientId)
                && now.allow(Permission.VIEW, ProtectedKind.TOPIC, topic, clientId);
    }

    /// True if the user may make temporary destinations.
    boolean allowsTemporaries() {
        return allows(Need.of(Permission.TEMPORARY));
    }

    /// The user whose prepared transactions alone may be seen and decided; null for those of
    /// everybody.
    @Nullable String decidesOnlyOf() {
        return allows(Need.of(Permission.DECIDE)) ? null : user;
    }

    /// Permissions were read again. What the connection has is to be [kept][#keep] after that.
    ///
    /// @throws RefusedException if the client may not have its identifier any more
    void refresh() {
        granted = control.of(user, groups);
        Need identify = identify();
        if (identify != null) {
            keep(identify);
        }
    }

    /// Checks something that was allowed before.
    ///
    /// @throws RefusedException if it is not any more
    void keep(Need need) {
        if (!allows(need)) {
            AuditEvent.of("revocation")
                    .by(user, output.address())
                    .with("connection", connection())
                    .with("operation", need.operation().text())
                    .with("kind", need.kind().text())
                    .with("object", need.name())
                    .log("user '" + user + "' loses a connection");
            throw new RefusedException(
                    ErrorCode.NOT_AUTHORIZED,
                    "permissions were read again: "
                            + AccessControl.refusal(
                                    user, need.operation(), need.kind(), need.name()));
        }
    }
}
