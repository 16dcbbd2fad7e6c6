package winnow.broker.admin.request;

import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import winnow.broker.identity.ProvenUser;
import winnow.broker.permission.AccessControl;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.permission.UserPermissions;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.StoredRecipient;
import winnow.broker.transport.HttpServer.Request;

/// Permissions of the user of one request. Immutable.
///
/// @param granted when the request came
public record RequestAccess(
        AccessControl control, String user, String address, UserPermissions granted) {
    public static RequestAccess of(AccessControl control, Request request) {
        ProvenUser user = request.user();
        UserPermissions granted =
                user.isLocal() ? UserPermissions.all() : control.of(user.name(), user.groups());
        return new RequestAccess(control, user.name(), request.address(), granted);
    }

    public boolean allows(Permission operation, ProtectedKind kind, String name) {
        return granted.allow(operation, kind, name);
    }

    public boolean sees(ProtectedKind kind, String name) {
        return allows(Permission.VIEW, kind, name);
    }

    boolean seesTopic(String name) {
        return sees(ProtectedKind.TOPIC, name);
    }

    /// True if an operation is allowed on the name of a durable or shared subscription, and its
    /// topic may be seen or browsed.
    public boolean allows(Permission operation, StoredSubscription one) {
        Permission ofTopic = operation == Permission.BROWSE ? Permission.BROWSE : Permission.VIEW;
        return allows(operation, ProtectedKind.SUBSCRIPTION, one.name().subscription())
                && allows(ofTopic, ProtectedKind.TOPIC, one.destination().name());
    }

    /// True for consumers of a topic that may be shown to those who may view it: a durable or
    /// shared subscription needs a permission for its own name.
    public Predicate<Recipient> consumers() {
        return seesSubscriptions()
                ? _ -> true
                : one ->
                        !(one instanceof StoredRecipient named)
                                || sees(ProtectedKind.SUBSCRIPTION, named.name());
    }

    /// True if all durable and shared subscriptions may be seen.
    public boolean seesSubscriptions() {
        return granted.allowAll(Permission.VIEW, ProtectedKind.SUBSCRIPTION);
    }

    /// True if prepared transactions of an owner may be seen and decided.
    public boolean decides(String owner) {
        return granted.allow(Permission.DECIDE) || owner.equals(user);
    }

    /// Line of the rule that allows something, 0 if everything is.
    public int line(Permission operation, ProtectedKind kind, String name) {
        return granted.line(operation, kind, name, "");
    }

    /// Counts a refusal that the answer does not say.
    public void count(Permission operation, ProtectedKind kind, String name) {
        String _ = control.refuse(asker(), operation, kind, name);
    }

    private AccessControl.Asker asker() {
        return new AccessControl.Asker(user, address, "");
    }

    /// Counts a refusal.
    ///
    /// @return says it
    public ProblemException refused(Permission operation, ProtectedKind kind, String name) {
        return new ProblemException(403, control.refuse(asker(), operation, kind, name));
    }

    /// Counts a refusal of something that the user may not see.
    ///
    /// @param missing what is answered where it does not exist
    ProblemException hidden(
            Permission operation, ProtectedKind kind, String name, ProblemException missing) {
        ProblemException refused = refused(operation, kind, name);
        return sees(kind, name) ? refused : missing;
    }

    /// The operation without which a route leaves entries out, empty if it leaves out none.
    public String filter(RouteAccess access) {
        if (!(access instanceof RouteAccess.Listed(Permission operation))) {
            return "";
        }
        boolean whole =
                operation.kinds().stream()
                        .allMatch(kind ->
                                kind == ProtectedKind.BROKER
                                        ? granted.allow(operation)
                                        : granted.allowAll(operation, kind));
        return whole ? "" : operation.text();
    }

    /// Checks what can be said before the route is asked.
    ///
    /// @param values in the path
    /// @return line of the rule that allows it, 0 if none had to
    /// @throws ProblemException if it may not be asked
    public int check(RouteAccess needed, Map<String, String> values) {
        switch (needed) {
            case RouteAccess.OfBroker(Permission operation) -> {
                boolean allowed =
                        operation.isAbout(ProtectedKind.BROKER)
                                ? granted.allow(operation)
                                : granted.allowAny(operation);
                if (!allowed) {
                    throw refused(operation, ProtectedKind.BROKER, "");
                }
                return line(operation, ProtectedKind.BROKER, "");
            }
            case RouteAccess.OfObject one -> {
                String name = Objects.requireNonNull(values.get(one.variable()));
                if (!allows(one.operation(), one.kind(), name)) {
                    throw hidden(one.operation(), one.kind(), name, one.missing().apply(name));
                }
                return line(one.operation(), one.kind(), name);
            }
            case RouteAccess.Anybody _, RouteAccess.Listed _, RouteAccess.LookedUp _ -> {
                return 0;
            }
        }
    }
}
