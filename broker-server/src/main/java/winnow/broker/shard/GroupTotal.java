package winnow.broker.shard;

import java.util.LinkedHashSet;
import java.util.Set;

/// Limits how many groups without deliveries all lanes together remember. Above the limit the lane
/// with the most forgets half of its groups, so that many groups in one queue cost the others
/// nothing. Owned by the shard.
final class GroupTotal {
    private final int limit;

    /// Lanes with groups, and some that have none any more.
    private final Set<Groups> lanes = new LinkedHashSet<>();

    /// At least as many as there are: those that a lane forgets at once, for instance because its
    /// consumers have ended, are still counted until there seem to be too many.
    private long count;

    GroupTotal(int limit) {
        this.limit = limit;
    }

    /// Groups of all lanes, as far as is known.
    long count() {
        return count;
    }

    /// A lane remembers more groups without deliveries, or fewer.
    ///
    /// @param groups below 0 if it is fewer
    void onAdded(Groups lane, int groups) {
        count += groups;
        if (groups > 0 && lane.idle() == groups) {
            lanes.add(lane);
        }
        if (count > limit) {
            shrink();
        }
    }

    private void shrink() {
        lanes.removeIf(lane -> lane.idle() == 0);
        count = 0;
        Groups most = null;
        for (Groups lane : lanes) {
            count += lane.idle();
            if (most == null || lane.idle() > most.idle()) {
                most = lane;
            }
        }
        if (most != null && count > limit) {
            count -= most.idle();
            most.halve();
            count += most.idle();
        }
    }
}
