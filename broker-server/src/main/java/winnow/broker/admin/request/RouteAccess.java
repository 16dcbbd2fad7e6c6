package winnow.broker.admin.request;

import java.util.function.Function;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;

/// Permission that a [winnow.broker.admin.Route] demands of the user of a request. Immutable.
public sealed interface RouteAccess {
    /// None but that of asking at all.
    record Anybody() implements RouteAccess {}

    /// An operation on the broker as a whole, or on anything.
    record OfBroker(Permission operation) implements RouteAccess {}

    /// A list whose entries are left out that may not be seen.
    record Listed(Permission operation) implements RouteAccess {}

    /// An operation on the object that the path names. For those who may not see it, it does not
    /// exist.
    ///
    /// @param variable in the path
    /// @param missing says that there is none of that name
    record OfObject(
            Permission operation,
            ProtectedKind kind,
            String variable,
            Function<String, ProblemException> missing)
            implements RouteAccess {}

    /// An operation on an object whose name has to be looked up; the route does the rest.
    record LookedUp(Permission operation) implements RouteAccess {}

    /// The operation for people, empty for none.
    default String text() {
        return switch (this) {
            case Anybody _ -> "";
            case OfBroker one -> one.operation.text();
            case Listed one -> one.operation.text();
            case OfObject one -> one.operation.text();
            case LookedUp one -> one.operation.text();
        };
    }
}
