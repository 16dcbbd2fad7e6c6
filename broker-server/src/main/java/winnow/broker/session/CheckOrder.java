package winnow.broker.session;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// In which order passwords are checked, and who goes if too many wait. Addresses take turns, and
/// so do the users of an address: somebody who tries one password after the other delays neither
/// others nor other users behind the same address by more than a check. Not thread-safe.
final class CheckOrder<T extends CheckOrder.Waiting> {
    private static final int MAX_REMEMBERED = 2_000;

    /// When an address or a user of an address had its last turn. What is not here has waited
    /// longest.
    private final Map<String, Long> turns =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    private long lastTurn;

    /// Where an attempt comes from.
    ///
    /// @param user stands for the user at this address, and for no other at any
    record Origin(String address, String user) {}

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
            turns.put(next.origin().address(), lastTurn);
            turns.put(next.origin().user(), lastTurn);
        }
        return next;
    }

    private boolean isBefore(Origin one, Origin other) {
        long turn = turns.getOrDefault(one.address(), 0L);
        long otherTurn = turns.getOrDefault(other.address(), 0L);
        if (turn != otherTurn) {
            return turn < otherTurn;
        }
        return turns.getOrDefault(one.user(), 0L) < turns.getOrDefault(other.user(), 0L);
    }

    /// The one that goes if there is one too many: the latest of the user with most of the address
    /// with most. If others have no more than the newcomer's, it is the newcomer.
    ///
    /// @param waiting in the order in which they came
    static <T extends Waiting> T leastEntitled(Collection<T> waiting, T newcomer) {
        Map<String, Integer> ofAddress = new HashMap<>();
        Map<String, Integer> ofUser = new HashMap<>();
        count(newcomer.origin(), ofAddress, ofUser);
        waiting.forEach(one -> count(one.origin(), ofAddress, ofUser));
        T least = newcomer;
        for (T one : waiting) {
            if (weight(one, ofAddress, ofUser) > weight(least, ofAddress, ofUser)
                    || (!least.equals(newcomer) && one.origin().equals(least.origin()))) {
                least = one;
            }
        }
        return least;
    }

    private static void count(
            Origin origin, Map<String, Integer> ofAddress, Map<String, Integer> ofUser) {
        ofAddress.merge(origin.address(), 1, Integer::sum);
        ofUser.merge(origin.user(), 1, Integer::sum);
    }

    /// How many the address has, and then how many the user has.
    private static long weight(
            Waiting one, Map<String, Integer> ofAddress, Map<String, Integer> ofUser) {
        long address = ofAddress.getOrDefault(one.origin().address(), 0);
        return (address << Integer.SIZE) + ofUser.getOrDefault(one.origin().user(), 0);
    }
}
