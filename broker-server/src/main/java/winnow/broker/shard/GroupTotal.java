package winnow.broker.shard;

import java.util.LinkedHashSet;
import java.util.Set;

/// Limits how many groups all lanes together remember. Above the limit the lane with the most
/// forgets half of its groups, so that many groups in one queue cost the others nothing. Owned by
/// the shard.
final class GroupTotal {
    private final int limit;

    /// Those with groups, and some that have none any more.
    private final Set<Groups> lanes = new LinkedHashSet<>();

    /// At least as many as there are: groups that lanes have released are still counted.
    private long count;

    GroupTotal(int limit) {
        this.limit = limit;
    }

    void onAdded(Groups lane, int groups) {
        count += groups;
        if (groups > 0 && lane.count() == groups) {
            lanes.add(lane);
        }
        if (count > limit) {
            shrink();
        }
    }

    private void shrink() {
        lanes.removeIf(lane -> lane.count() == 0);
        count = 0;
        Groups most = null;
        for (Groups lane : lanes) {
            count += lane.count();
            if (most == null || lane.count() > most.count()) {
                most = lane;
            }
        }
        if (most != null && count > limit) {
            count -= most.count();
            most.halve();
            count += most.count();
        }
    }
}
