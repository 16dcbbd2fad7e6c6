package winnow.broker.shard;

import java.util.LinkedHashSet;
import java.util.Set;

/// Limits how many groups without deliveries all lanes together remember. Above the limit the lane
/// with the most forgets half of its groups, so that many groups in one queue cost the others
/// nothing. Owned by the shard.
final class GroupTotal {
    private final int limit;

    /// Those with groups, and some that have none any more.
    private final Set<Groups> lanes = new LinkedHashSet<>();

    /// At least as many as there are: groups that have deliveries again are still counted.
    private long count;

    GroupTotal(int limit) {
        this.limit = limit;
    }

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
