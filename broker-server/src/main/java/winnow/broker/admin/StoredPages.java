package winnow.broker.admin;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import winnow.broker.destination.DelayedTopics;
import winnow.broker.destination.DestinationRegistry;
import winnow.broker.destination.NameDictionary;
import winnow.broker.destination.NamedSubscriptions;
import winnow.broker.storage.Storage;
import winnow.broker.transport.HttpServer.Response;
import winnow.selector.check.SelectorLimits;

/// Everything about what is stored: queues, durable and shared subscriptions, prepared
/// transactions, and the storage itself with its backups. Thread-safe.
public final class StoredPages {
    private final Storage storage;
    private final BackupPages backups;
    private final BacklogPages backlogs;
    private final QueuePages queues;
    private final SubscriptionPages subscriptions;
    private final TransactionPages transactions;

    /// @param limits what a selector may ask for
    public StoredPages(
            Storage storage,
            NamedSubscriptions named,
            DelayedTopics delayed,
            DestinationRegistry registry,
            NameDictionary names,
            SelectorLimits limits) {
        this.storage = storage;
        this.backups = new BackupPages(storage.backups(), Clock.systemUTC());
        ShardQuestions questions = new ShardQuestions(storage);
        this.backlogs = new BacklogPages(storage, questions);
        MessagePages messages = new MessagePages(questions, names, limits);
        this.queues = new QueuePages(questions, messages, registry);
        this.subscriptions = new SubscriptionPages(questions, messages, named);
        this.transactions = new TransactionPages(questions, delayed);
    }

    /// Totals of everything that is stored.
    BacklogPages.Totals totals() {
        return backlogs.totals();
    }

    /// The queues and stored subscriptions in which most messages wait.
    CompletionStage<Response> largest(int limit) {
        return backlogs.largest(limit);
    }

    /// @param path its first segment is `queues`, `subscriptions`, `transactions` or `storage`
    /// @throws IllegalArgumentException saying what is wrong with the request
    CompletionStage<Response> answer(
            Operator by, Verb verb, List<String> path, Map<String, List<String>> parameters) {
        List<String> below = path.subList(1, path.size());
        return switch (path.get(0)) {
            case "queues" -> queues.answer(by, verb, below, parameters);
            case "subscriptions" -> subscriptions.answer(by, verb, below, parameters);
            case "transactions" -> transactions.answer(by, verb, below, parameters);
            default -> ofStorage(by, verb, below, parameters);
        };
    }

    private CompletionStage<Response> ofStorage(
            Operator by, Verb verb, List<String> below, Map<String, List<String>> parameters) {
        if (below.isEmpty()) {
            return verb == Verb.GET ? JsonPage.of(storage.state()) : verb.notAllowed(Verb.GET);
        }
        return below.get(0).equals("backups")
                ? backups.answer(by, verb, below.subList(1, below.size()), parameters)
                : JsonPage.failure(404, "expected backups after storage");
    }
}
