package winnow.broker.admin;

import static winnow.broker.admin.QueuePages.ITEM;
import static winnow.broker.admin.QueuePages.QUEUE;

import java.util.List;
import java.util.concurrent.CompletionStage;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.Parameter;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.admin.request.RequestAccess;
import winnow.broker.matching.RefusedException;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.Protocol;

/// The messages that wait in queues: shown, removed and moved. Thread-safe.
final class QueueMessagePages {
    private final MessagePages messages;
    private final DestinationRegistry registry;

    QueueMessagePages(MessagePages messages, DestinationRegistry registry) {
        this.messages = messages;
        this.registry = registry;
    }

    void addTo(List<Route> routes) {
        routes.add(
                Route.get(
                                ITEM + "/messages",
                                "listMessages",
                                "messages that wait for a consumer, in the order of delivery")
                        .listOf(StoredMessageInfo.class)
                        .with(Parameter.LIMIT, Parameter.SELECTOR)
                        .needs(Permission.BROWSE, ProtectedKind.QUEUE, QUEUE, QueuePages::missing)
                        .by(asked ->
                                messages.show(
                                        shard -> QueuePages.queue(shard, asked.value(QUEUE)),
                                        asked)));
        routes.add(
                Route.delete(
                                ITEM + "/messages",
                                "purgeQueue",
                                "removes messages that wait for a consumer")
                        .of(MessagePages.Done.class)
                        .with(Parameter.SELECTOR)
                        .needs(Permission.EDIT, ProtectedKind.QUEUE, QUEUE, QueuePages::missing)
                        .by(this::purge));
        routes.add(
                Route.post(
                                ITEM + "/move",
                                "moveMessages",
                                "moves messages that wait for a consumer to another queue")
                        .of(MessagePages.Done.class)
                        .with(Parameter.TO, Parameter.SELECTOR)
                        .needs(Permission.EDIT, ProtectedKind.QUEUE, QUEUE, QueuePages::missing)
                        .conflict("the other queue cannot be made or takes no more")
                        .by(this::move));
        routes.add(
                Route.post(
                                ITEM + "/retry",
                                "retryDeadLetters",
                                "moves dead letters back to the queues that they come from")
                        .of(MessagePages.Done.class)
                        .with(Parameter.SELECTOR)
                        .needs(Permission.EDIT, ProtectedKind.QUEUE, QUEUE, QueuePages::missing)
                        .by(this::retry));
    }

    private CompletionStage<Response> purge(Asked asked) {
        String name = asked.value(QUEUE);
        return messages.change(
                asked,
                count -> "removed " + count + " of queue " + name,
                (_, shard, selection, result) ->
                        shard.operations().purge(QueuePages.queue(shard, name), selection, result));
    }

    private CompletionStage<Response> move(Asked asked) {
        String name = asked.value(QUEUE);
        String target = asked.text(Parameter.TO);
        checkTarget(asked, target);
        registry.checkQueue(target);
        return messages.change(
                asked,
                count -> "moved " + count + " of queue " + name + " to queue " + target,
                (now, shard, selection, result) -> {
                    checkTarget(now, target);
                    StoredSubscription from = QueuePages.queue(shard, name);
                    if (target.equals(name)) {
                        throw new ProblemException(
                                400, "to: expected another queue, found '" + target + "'");
                    }
                    StoredDestination to =
                            target.startsWith(Protocol.TEMPORARY_PREFIX)
                                    ? QueuePages.destination(shard, target)
                                    : shard.queue(target);
                    return shard.operations().move(from, selection, to, result);
                });
    }

    private static void checkTarget(Asked asked, String target) {
        if (!asked.access().allows(Permission.SEND, ProtectedKind.QUEUE, target)) {
            throw asked.access().refused(Permission.SEND, ProtectedKind.QUEUE, target);
        }
    }

    private CompletionStage<Response> retry(Asked asked) {
        String name = asked.value(QUEUE);
        return messages.change(
                asked,
                count -> "moved " + count + " of queue " + name + " back where they came from",
                (now, shard, selection, result) -> {
                    StoredSubscription from = QueuePages.queue(shard, name);
                    try {
                        return shard.operations()
                                .retry(
                                        from,
                                        selection,
                                        target -> usable(shard, target, now.access()),
                                        result);
                    } catch (IllegalArgumentException e) {
                        throw new ProblemException(400, "queue: " + e.getMessage());
                    }
                });
    }

    /// True if messages may go to a queue that a message names: who wrote the message may have
    /// chosen it.
    private boolean usable(Shard shard, String target, RequestAccess access) {
        if (!access.allows(Permission.SEND, ProtectedKind.QUEUE, target)) {
            return false;
        }
        if (target.startsWith(Protocol.TEMPORARY_PREFIX)) {
            return shard.catalog().findQueue(target).isPresent();
        }
        try {
            registry.checkQueue(target);
            return true;
        } catch (RefusedException e) {
            return false;
        }
    }
}
