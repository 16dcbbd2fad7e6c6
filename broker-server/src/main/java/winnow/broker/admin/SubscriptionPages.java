package winnow.broker.admin;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Listing;
import winnow.broker.admin.request.Operator;
import winnow.broker.admin.request.Parameter;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.admin.request.RequestAccess;
import winnow.broker.config.NamePattern;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.shard.OldestMessages;
import winnow.broker.shard.Operation;
import winnow.broker.shard.Selection;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.shard.SubscriptionName;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.DestinationKind;

/// The durable and the shared subscriptions of all topics, and what waits in them: shown and
/// changed. Thread-safe.
final class SubscriptionPages {
    private static final String PATH = AdminApi.ROOT + "subscriptions";
    private static final String ITEM = "subscriptions/{subscription}";

    private final ShardQuestions questions;
    private final MessagePages messages;
    private final NamedSubscriptions named;

    SubscriptionPages(ShardQuestions questions, MessagePages messages, NamedSubscriptions named) {
        this.questions = questions;
        this.messages = messages;
        this.named = named;
    }

    void addTo(List<Route> routes) {
        routes.add(
                Route.get(
                                "subscriptions",
                                "listSubscriptions",
                                "durable and shared subscriptions of all topics by number")
                        .pagesOf(StoredInfo.Subscription.class)
                        .filteredBy(Permission.VIEW)
                        .by(this::list));
        routes.add(
                Route.get(ITEM, "getSubscription", "one durable or shared subscription")
                        .of(StoredInfo.Subscription.class)
                        .looksUp(Permission.VIEW)
                        .by(this::ofSubscription));
        routes.add(
                Route.delete(
                                ITEM,
                                "deleteSubscription",
                                "removes a durable subscription without consumers, with its"
                                        + " messages")
                        .of(QueuePages.Removed.class)
                        .looksUp(Permission.DELETE)
                        .conflict("the subscription has consumers, or is not durable")
                        .by(this::remove));
        routes.add(
                Route.get(
                                ITEM + "/messages",
                                "listSubscriptionMessages",
                                "messages that wait for its consumer, in the order of delivery")
                        .listOf(StoredMessageInfo.class)
                        .with(Parameter.LIMIT, Parameter.SELECTOR)
                        .looksUp(Permission.BROWSE)
                        .by(asked -> {
                            int id = id(asked);
                            return messages.show(
                                    shard -> find(shard, id, Permission.BROWSE, asked), asked);
                        }));
        routes.add(
                Route.delete(
                                ITEM + "/messages",
                                "purgeSubscription",
                                "removes messages that wait for its consumer")
                        .of(MessagePages.Done.class)
                        .with(Parameter.SELECTOR)
                        .looksUp(Permission.EDIT)
                        .by(this::purge));
    }

    private static int id(Asked asked) {
        return Listing.number("subscription", asked.value("subscription"), 0, Integer.MAX_VALUE);
    }

    private CompletionStage<Response> ofSubscription(Asked asked) {
        int id = id(asked);
        return questions
                .<List<StoredInfo.Subscription>>ask(
                        0,
                        (shard, answer) ->
                                describe(
                                        shard,
                                        List.of(find(shard, id, Permission.VIEW, asked)),
                                        answer))
                .thenCompose(found -> JsonPage.of(found.get(0)));
    }

    private CompletionStage<Response> list(Asked asked) {
        int after = Listing.number(asked.parameters(), "after", -1, -1, Integer.MAX_VALUE);
        NamePattern names = asked.names();
        int count = asked.limit() + 1;
        return questions
                .ask(shard -> List.copyOf(shard.catalog().subscriptions()))
                .thenApply(all -> seen(all, asked))
                .thenApply(all -> chosen(all, after, names, count))
                .thenCompose(chosen ->
                        questions.<List<StoredInfo.Subscription>>ask(
                                0, (shard, answer) -> describe(shard, chosen, answer)))
                .thenCompose(found ->
                        asked.page(
                                PATH,
                                found,
                                StoredInfo.Subscription::characters,
                                one -> String.valueOf(one.id())));
    }

    private static void describe(
            Shard shard,
            List<StoredSubscription> chosen,
            CompletableFuture<List<StoredInfo.Subscription>> answer) {
        List<StoredSubscription> there = chosen.stream().filter(one -> !one.ended()).toList();
        OldestMessages.read(
                shard,
                there,
                () -> answer.complete(there.stream().map(StoredInfo.Subscription::of).toList()));
    }

    /// By number; none of what is read changes, so it may be read on any thread.
    private static List<StoredSubscription> chosen(
            List<StoredSubscription> all, int after, NamePattern names, int count) {
        return all.stream()
                .filter(one -> one.destination().kind() == DestinationKind.TOPIC)
                .filter(one -> one.id() > after && names.fits(one.name().subscription()))
                .sorted(Comparator.comparingInt(StoredSubscription::id))
                .limit(count)
                .toList();
    }

    /// None of what is read changes.
    private static List<StoredSubscription> seen(List<StoredSubscription> all, Asked asked) {
        return all.stream().filter(one -> asked.access().allows(Permission.VIEW, one)).toList();
    }

    /// @throws ProblemException if it does not exist, or the user may not do that with it; one that
    ///   may not be seen does not exist
    private static StoredSubscription find(Shard shard, int id, Permission operation, Asked asked) {
        RequestAccess access = asked.access();
        Optional<StoredSubscription> found =
                shard.catalog()
                        .findSubscription(id)
                        .filter(one -> one.destination().kind() == DestinationKind.TOPIC);
        if (found.isPresent() && access.allows(operation, found.get())) {
            return found.get();
        }
        if (found.isPresent() && access.allows(Permission.VIEW, found.get())) {
            throw access.refused(
                    operation, ProtectedKind.SUBSCRIPTION, found.get().name().subscription());
        }
        if (!access.granted().allowAll(operation, ProtectedKind.SUBSCRIPTION)) {
            // The same work whether it exists or not.
            access.count(operation, ProtectedKind.SUBSCRIPTION, String.valueOf(id));
        }
        throw missing(id);
    }

    private static ProblemException missing(int id) {
        return new ProblemException(
                404,
                "there is no subscription "
                        + id
                        + "; 'winnow subscription list' or GET /api/v1/subscriptions shows those"
                        + " that are there");
    }

    private CompletionStage<Response> purge(Asked asked) {
        Purge purge = new Purge(id(asked), asked.by());
        return messages.change(asked, purge::by, purge::did, purge);
    }

    /// Removes messages of the subscription that the shard finds. Owned by the shard's thread.
    private static final class Purge implements MessagePages.Start {
        private final int id;
        private Operator by;
        private String subscription = "";

        Purge(int id, Operator by) {
            this.id = id;
            this.by = by;
        }

        @Override
        public Operation apply(
                Asked asked, Shard shard, Selection selection, Operation.Result result) {
            StoredSubscription found = find(shard, id, Permission.EDIT, asked);
            SubscriptionName name = found.name();
            by = under(Permission.EDIT, name, asked);
            subscription = name.display() + " of topic " + found.destination().name();
            return shard.operations().purge(found, selection, result);
        }

        Operator by() {
            return by;
        }

        String did(String messages) {
            return "removed " + messages + " of subscription " + subscription;
        }
    }

    /// The user with the rule that allows an operation on a subscription.
    private static Operator under(Permission operation, SubscriptionName name, Asked asked) {
        return asked.by()
                .under(
                        asked.access()
                                .line(operation, ProtectedKind.SUBSCRIPTION, name.subscription()));
    }

    private CompletionStage<Response> remove(Asked asked) {
        int id = id(asked);
        return questions
                .<QueuePages.Removed>change(
                        asked,
                        0,
                        (now, shard, answer) -> {
                            StoredSubscription found = find(shard, id, Permission.DELETE, now);
                            SubscriptionName name = found.name();
                            Operator by = under(Permission.DELETE, name, now);
                            if (!name.durable()) {
                                throw new ProblemException(
                                        409,
                                        "subscription '"
                                                + name.display()
                                                + "' is not durable: it ends with its last"
                                                + " consumer");
                            }
                            var removed = new QueuePages.Removed(found.messages());
                            String what =
                                    "removed subscription "
                                            + name.display()
                                            + " of topic "
                                            + found.destination().name()
                                            + " with "
                                            + Operator.count(removed.messages());
                            named.delete(
                                    shard,
                                    name.clientId(),
                                    name.subscription(),
                                    one -> now.access().allows(Permission.VIEW, one),
                                    ShardQuestions.whenDone(answer, removed, () -> by.did(what)));
                        })
                .thenCompose(JsonPage::of);
    }
}
