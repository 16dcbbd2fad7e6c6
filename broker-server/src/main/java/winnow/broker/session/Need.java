package winnow.broker.session;

import winnow.broker.destination.Destination;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.wire.DestinationKind;

/// An operation on an object, for which a user needs a permission. Immutable.
///
/// @param name empty for the broker as a whole
record Need(Permission operation, ProtectedKind kind, String name) {
    static Need of(Permission operation) {
        return new Need(operation, ProtectedKind.BROKER, "");
    }

    static Need of(Permission operation, Destination destination) {
        return of(operation, destination.kind(), destination.name());
    }

    static Need of(Permission operation, DestinationKind kind, String name) {
        return new Need(
                operation,
                switch (kind) {
                    case QUEUE -> ProtectedKind.QUEUE;
                    case TOPIC -> ProtectedKind.TOPIC;
                },
                name);
    }
}
