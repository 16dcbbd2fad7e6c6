package winnow.broker.admin;

import java.time.Clock;
import java.util.List;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.matching.NameDictionary;
import winnow.broker.permission.Permission;
import winnow.broker.routing.DelayedTopics;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.storage.Storage;
import winnow.broker.storage.StorageState;
import winnow.selector.check.SelectorLimits;

/// Everything about what is stored: queues, durable and shared subscriptions, prepared
/// transactions, and the storage itself with its backups. Thread-safe.
public final class StoredPages {
    private final Storage storage;
    private final BackupPages backups;
    private final BacklogPages backlogs;
    private final QueuePages queues;
    private final QueueMessagePages queueMessages;
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
        this.queues = new QueuePages(questions, registry);
        this.queueMessages = new QueueMessagePages(messages, registry);
        this.subscriptions = new SubscriptionPages(questions, messages, named);
        this.transactions = new TransactionPages(questions, delayed);
    }

    /// Totals of everything that is stored.
    BacklogPages.StoredTotals totals() {
        return backlogs.totals();
    }

    void addTo(List<Route> routes) {
        backlogs.addTo(routes);
        queues.addTo(routes);
        queueMessages.addTo(routes);
        subscriptions.addTo(routes);
        transactions.addTo(routes);
        routes.add(
                Route.get("storage", "getStorage", "where messages are kept, and how many")
                        .of(StorageState.class)
                        .needs(Permission.ADMIN)
                        .by(_ -> JsonPage.of(storage.state())));
        backups.addTo(routes);
    }
}
