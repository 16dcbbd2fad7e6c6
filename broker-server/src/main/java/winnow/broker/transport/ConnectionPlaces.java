package winnow.broker.transport;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connections of clients that may be open, by address. Who has not logged in makes way for a
/// new one, so that silent sockets keep nobody out: the oldest of the address that has most of them
/// goes. No address may have all places. Thread-safe: by its own lock.
final class ConnectionPlaces {
    private final Map<String, Integer> openOf = new HashMap<>();

    /// The oldest first; some may have logged in since.
    private final Set<Place> pending = new LinkedHashSet<>();

    private final Set<Place> open = new HashSet<>();

    /// A connection. Its identity is its place.
    interface Place {
        /// Addresses that count as one.
        String addressBlock();

        /// True if the client has proven who it is, if that is asked for.
        boolean isLoggedIn();

        /// Another connection has the place now.
        void onDisplaced();
    }

    /// Takes a place.
    ///
    /// @param max of all together
    /// @param maxOfAddress of those with the same address block
    /// @return why there is none, empty if it was taken
    synchronized String take(Place place, int max, int maxOfAddress) {
        String block = place.addressBlock();
        boolean addressFull = openOf.getOrDefault(block, 0) >= maxOfAddress;
        boolean full = open.size() >= max;
        if ((addressFull || full) && !displace(addressFull ? block : fullestPending())) {
            return full
                    ? "transport.max-connections is " + max
                    : "transport.max-connections-per-address is "
                            + maxOfAddress
                            + ", all are in use by "
                            + block;
        }
        open.add(place);
        openOf.merge(block, 1, Integer::sum);
        pending.add(place);
        return "";
    }

    /// The block that has most connections without a login, null if there is none.
    private @Nullable String fullestPending() {
        pending.removeIf(Place::isLoggedIn);
        Map<String, Integer> counts = new HashMap<>();
        String fullest = null;
        int most = 0;
        for (Place one : pending) {
            int count = counts.merge(one.addressBlock(), 1, Integer::sum);
            if (count > most) {
                most = count;
                fullest = one.addressBlock();
            }
        }
        return fullest;
    }

    /// @return false if none of the block can go
    private boolean displace(@Nullable String block) {
        pending.removeIf(Place::isLoggedIn);
        for (Place one : pending) {
            if (one.addressBlock().equals(block)) {
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
            openOf.computeIfPresent(
                    place.addressBlock(), (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
