package winnow.client.link;

import winnow.client.transport.WireConnection;

/// The connection to the broker that is in use at a time, with what belongs to it alone: handles of
/// destinations, subscriptions and sessions at the broker. Immutable.
///
/// @param epoch counts the connections of one [BrokerLink], from 1
public record Current(WireConnection wire, OpenDestinations destinations, int epoch) {
    static Current of(WireConnection wire, int epoch) {
        return new Current(wire, new OpenDestinations(wire), epoch);
    }

    /// Tells if it has ended.
    public boolean isLost() {
        return wire.hasEnded();
    }
}
