package winnow.broker.transport;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The connections of clients that may be open, by address. Who has not logged in makes way for a
/// new one, so that silent sockets keep nobody out: the oldest of the address that has most of them
/// goes. No address may have all places, no network all for which there is memory, and a network
/// with few connections gets another while there are places, whatever memory there is. Thread-safe:
/// by its own lock.
final class ConnectionPlaces {
    /// Connections that a network may have also where others have all the memory there is.
    private static final int FEW = 8;

    /// Part of what there is memory for that one network leaves others.
    private static final int RESERVED_PART = 8;

    private final Map<String, Integer> openOfBlock = new HashMap<>();
    private final Map<String, Integer> openOfNetwork = new HashMap<>();

    /// The oldest first; some may have logged in since.
    private final Set<Place> pending = new LinkedHashSet<>();

    private final Set<Place> open = new HashSet<>();

    /// A connection. Its identity is its place.
    interface Place {
        /// Addresses that count as one.
        String addressBlock();

        /// Blocks that share the memory for connections as one.
        String network();

        /// True if the client has proven who it is, if that is asked for.
        boolean isLoggedIn();

        /// Another connection has the place now.
        void onDisplaced();
    }

    /// Takes a place.
    ///
    /// @param fitting for which there is memory
    /// @param max of all together
    /// @param maxOfAddress of those with the same address block
    /// @return why there is none, empty if it was taken
    synchronized String take(Place place, int fitting, int max, int maxOfAddress) {
        String block = place.addressBlock();
        String network = place.network();
        int ofBlock = openOfBlock.getOrDefault(block, 0);
        int ofNetwork = openOfNetwork.getOrDefault(network, 0);
        int room = ofNetwork < FEW ? Integer.MAX_VALUE : fitting;
        // A network may have as much as an address, where that may have all.
        int mostOfNetwork = Math.max(maxOfAddress, max - max / RESERVED_PART);
        boolean found = true;
        if (ofBlock >= maxOfAddress) {
            found = displace(Place::addressBlock, block);
        } else if (ofNetwork >= Math.min(mostOfNetwork, room - room / RESERVED_PART)) {
            found = displace(Place::network, network);
        } else if (open.size() >= Math.min(max, room)) {
            found = displace(Place::network, fullestPending());
        }
        if (!found) {
            String reason =
                    ofNetwork >= mostOfNetwork
                            ? "and leaves others an eighth of transport.max-connections, " + max
                            : "and the broker's heap has room for "
                                    + fitting
                                    + " of all addresses now";
            return open.size() >= max
                    ? "transport.max-connections is " + max
                    : ofBlock >= maxOfAddress
                            ? "transport.max-connections-per-address is "
                                    + maxOfAddress
                                    + ", all are in use by "
                                    + block
                            : network + " has " + ofNetwork + " connections, " + reason;
        }
        open.add(place);
        openOfBlock.merge(block, 1, Integer::sum);
        openOfNetwork.merge(network, 1, Integer::sum);
        pending.add(place);
        return "";
    }

    /// The network that has most connections without a login, null if there is none.
    private @Nullable String fullestPending() {
        pending.removeIf(Place::isLoggedIn);
        Map<String, Integer> counts = new HashMap<>();
        String fullest = null;
        int most = 0;
        for (Place one : pending) {
            int count = counts.merge(one.network(), 1, Integer::sum);
            if (count > most) {
                most = count;
                fullest = one.network();
            }
        }
        return fullest;
    }

    /// @param part of an address, which is `of` where one goes
    /// @return false if none of them can
    private boolean displace(Function<Place, String> part, @Nullable String of) {
        pending.removeIf(Place::isLoggedIn);
        for (Place one : pending) {
            if (part.apply(one).equals(of)) {
                end(one);
                one.onDisplaced();
                return true;
            }
        }
        return false;
    }

    /// The connection has gone. Does nothing if it was displaced before.
    synchronized void end(Place place) {
        pending.remove(place);
        if (open.remove(place)) {
            leave(openOfBlock, place.addressBlock());
            leave(openOfNetwork, place.network());
        }
    }

    private static void leave(Map<String, Integer> counts, String of) {
        counts.computeIfPresent(of, (_, count) -> count == 1 ? null : count - 1);
    }
}
