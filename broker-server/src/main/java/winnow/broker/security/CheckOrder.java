package winnow.broker.security;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// In which order passwords are checked, and who goes if too many wait. Networks take turns, and so
/// do the addresses of a network and the users of an address: somebody who tries one password after
/// the other delays neither others nor other users behind the same address by more than a check. Of
/// IPv6 a party may have as many addresses as there are places. Not thread-safe.
final class CheckOrder<T extends CheckOrder.Waiting> {
    private static final int MAX_REMEMBERED = 2_000;

    /// When a network, an address or a user of an address had its last turn. What is not here has
    /// waited longest.
    private final Map<String, Long> turns =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    private long lastTurn;

    /// Origin of an attempt.
    ///
    /// @param network as [AddressBlock#network] has it
    /// @param address as [AddressBlock#of] has it
    /// @param user stands for the user at this address, and for no other at any
    record Origin(String network, String address, String user) {
        Origin(String address, String user) {
            this(AddressBlock.network(address), address, user);
        }
    }

    /// An attempt that waits.
    interface Waiting {
        Origin origin();
    }

    /// The one that is to be checked next.
    ///
    /// @param waiting in the order in which they came
    /// @return null if none waits
    @Nullable T next(Collection<T> waiting) {
        T next = null;
        for (T one : waiting) {
            if (next == null || isBefore(one.origin(), next.origin())) {
                next = one;
            }
        }
        if (next != null) {
            lastTurn++;
            turns.put(next.origin().network(), lastTurn);
            turns.put(next.origin().address(), lastTurn);
            turns.put(next.origin().user(), lastTurn);
        }
        return next;
    }

    private boolean isBefore(Origin one, Origin other) {
        int order = Long.compare(turn(one.network()), turn(other.network()));
        if (order == 0) {
            order = Long.compare(turn(one.address()), turn(other.address()));
        }
        return order == 0 ? turn(one.user()) < turn(other.user()) : order < 0;
    }

    private long turn(String whose) {
        return turns.getOrDefault(whose, 0L);
    }

    /// The one that goes if there is one too many: the latest of the user with most of the address
    /// with most of the network with most. If others have no more than the newcomer's, it is the
    /// newcomer.
    ///
    /// @param waiting in the order in which they came
    static <T extends Waiting> T leastEntitled(Collection<T> waiting, T newcomer) {
        Counts counts = new Counts(new HashMap<>(), new HashMap<>(), new HashMap<>());
        counts.add(newcomer.origin());
        waiting.forEach(one -> counts.add(one.origin()));
        T least = newcomer;
        for (T one : waiting) {
            if (counts.compare(one.origin(), least.origin()) > 0
                    || (!least.equals(newcomer) && one.origin().equals(least.origin()))) {
                least = one;
            }
        }
        return least;
    }

    /// Numbers of attempts that wait.
    private record Counts(
            Map<String, Integer> ofNetwork,
            Map<String, Integer> ofAddress,
            Map<String, Integer> ofUser) {
        void add(Origin origin) {
            ofNetwork.merge(origin.network(), 1, Integer::sum);
            ofAddress.merge(origin.address(), 1, Integer::sum);
            ofUser.merge(origin.user(), 1, Integer::sum);
        }

        int compare(Origin one, Origin other) {
            int network = compare(ofNetwork, one.network(), other.network());
            int address = compare(ofAddress, one.address(), other.address());
            int user = compare(ofUser, one.user(), other.user());
            return network != 0 ? network : address != 0 ? address : user;
        }

        private static int compare(Map<String, Integer> counts, String one, String other) {
            return Integer.compare(counts.getOrDefault(one, 0), counts.getOrDefault(other, 0));
        }
    }
}
