package winnow.broker.admin;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Operator;
import winnow.broker.admin.request.Parameter;
import winnow.broker.permission.Permission;
import winnow.broker.transport.HttpServer.Response;
import winnow.cluster.ClusterChangeException;
import winnow.cluster.ClusterNodeView;

/// The cluster that the broker is a node of: shown and changed. Thread-safe.
final class ClusterPages {
    private static final String NODES = "cluster/nodes";

    /// Name of the node in the path.
    private static final String NODE = "node";

    private static final String ITEM = NODES + "/{" + NODE + "}";

    /// Time after which the answer does not wait for a change any more.
    private static final int ANSWER_SECONDS = 5;

    private final ClusterChanges cluster;

    /// A change of the nodes.
    ///
    /// @param complete false if it is under way: the same request tells later what has come of it
    record NodeChange(String node, boolean complete) {}

    ClusterPages(ClusterChanges cluster) {
        this.cluster = cluster;
    }

    void addTo(List<Route> routes) {
        routes.add(
                Route.get(NODES, "listNodes", "nodes of the cluster, as this one sees them")
                        .listOf(ClusterNodeView.class)
                        .needs(Permission.VIEW)
                        .by(_ -> JsonPage.of(cluster.nodes())));
        routes.add(
                Route.post(
                                ITEM + "/lead",
                                "moveLead",
                                "moves the lead of the cluster from this node to another one")
                        .of(ClusterChanges.MovedLead.class)
                        .needs(Permission.ADMIN)
                        .conflict("that node leads, does not answer or is behind")
                        .by(this::lead));
        routes.add(
                Route.post(ITEM, "addNode", "makes a broker that waits for it a node")
                        .of(NodeChange.class)
                        .with(Parameter.ADDRESS)
                        .needs(Permission.ADMIN)
                        .conflict(
                                "another change is under way, it has another address, or too few"
                                        + " nodes answer")
                        .by(asked ->
                                change(
                                        asked,
                                        "added node",
                                        cluster.add(
                                                asked.value(NODE),
                                                asked.text(Parameter.ADDRESS)))));
        routes.add(
                Route.delete(ITEM, "removeNode", "makes a broker no node any more")
                        .of(NodeChange.class)
                        .needs(Permission.ADMIN)
                        .conflict(
                                "another change is under way, the node leads, or too few nodes"
                                        + " answer")
                        .by(asked ->
                                change(asked, "removed node", cluster.remove(asked.value(NODE)))));
    }

    private CompletionStage<Response> lead(Asked asked) {
        Operator by = asked.by();
        // Clients are sent away even if the other node does not take the lead over.
        by.did("asks to move the lead to node " + asked.value(NODE));
        return answer(
                cluster.lead(
                        asked.value(NODE),
                        () -> {
                            var _ = asked.again();
                        }),
                moved -> {
                    by.did("moved the lead to node " + moved.leader());
                    return moved;
                });
    }

    /// @param done such as `added node`
    private static CompletionStage<Response> change(
            Asked asked, String done, CompletionStage<Void> change) {
        Operator by = asked.by();
        String node = asked.value(NODE);
        CompletionStage<Boolean> complete =
                change.toCompletableFuture()
                        .thenApply(_ -> true)
                        .completeOnTimeout(false, ANSWER_SECONDS, TimeUnit.SECONDS);
        return answer(
                complete,
                ended -> {
                    by.did((ended ? "has " : "waits until the cluster has ") + done + " " + node);
                    return new NodeChange(node, ended);
                });
    }

    private static <T> CompletionStage<Response> answer(
            CompletionStage<T> outcome, Function<T, Object> text) {
        return outcome.handle((found, failure) ->
                        failure == null ? JsonPage.of(text.apply(found)) : problem(failure))
                .thenCompose(Function.identity());
    }

    private static CompletionStage<Response> problem(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        if (cause instanceof ClusterChangeException refused) {
            return JsonPage.failure(status(refused), String.valueOf(refused.getMessage()));
        }
        throw new CompletionException(cause);
    }

    private static int status(ClusterChangeException refused) {
        return switch (refused.reason()) {
            case UNKNOWN_NODE -> 404;
            case CONFLICT -> 409;
            case NOT_LEADING, FAILED -> 503;
        };
    }
}
