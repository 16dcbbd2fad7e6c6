package winnow.broker.shard;

import java.util.LinkedHashSet;
import java.util.Set;

/// Deliveries that the consumers of one connection have together and have not acknowledged, as
/// [DeliveryLimit] counts them. Belongs to one connection; owned by the shard.
public final class DeliveryShare {
    int count;

    /// Consumers that could get more.
    final Set<StoredConsumer> waiting = new LinkedHashSet<>();
}
