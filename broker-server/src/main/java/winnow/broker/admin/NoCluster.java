package winnow.broker.admin;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import winnow.cluster.ClusterChangeException;
import winnow.cluster.ClusterNodeView;

/// The cluster of a broker that is alone: it has no nodes, and refuses all changes. Immutable.
public final class NoCluster implements ClusterChanges {
    private static <T> CompletionStage<T> refused() {
        return CompletableFuture.failedStage(
                new ClusterChangeException(
                        ClusterChangeException.Reason.UNKNOWN_NODE,
                        "this broker is not part of a cluster"));
    }

    @Override
    public List<ClusterNodeView> nodes() {
        return List.of();
    }

    @Override
    public CompletionStage<MovedLead> lead(String node, Runnable guard) {
        return refused();
    }

    @Override
    public CompletionStage<Void> add(String node, String address) {
        return refused();
    }

    @Override
    public CompletionStage<Void> remove(String node) {
        return refused();
    }
}
