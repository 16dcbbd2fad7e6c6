package winnow.broker.session;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.destination.RefusedException;
import winnow.broker.destination.SubscriptionFilter;
import winnow.broker.destination.Topic;
import winnow.broker.subscription.Subscription;
import winnow.selector.Selector;
import winnow.wire.ControlFrame;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Source;
import winnow.wire.WireException;
import winnow.wire.WireReader;

/// The consuming side of one connection: its subscriptions and their credit. Owned by the
/// connection's event loop.
///
/// A subscription is made in three steps on three threads: the filter is parsed by
/// [SelectorParsing], the topic's owner adds it, the connection's loop answers and gives it credit.
final class Consumers {
    private static final Logger LOG = LoggerFactory.getLogger(Consumers.class);

    private final SessionContext context;
    private final Output output;
    private final ById<Entry> entries = new ById<>();

    /// Subscriptions, those included that are ended before they are made and have no id any more.
    private int count;

    private int selectorCharacters;
    private boolean closed;

    private static final class Entry {
        final Topic topic;
        final Subscription subscription;
        final SubscriptionFilter filter;
        boolean installed;

        /// Came before the subscription was installed.
        ControlFrame.@Nullable Unsubscribe pendingEnd;

        Entry(Topic topic, Subscription subscription, SubscriptionFilter filter) {
            this.topic = topic;
            this.subscription = subscription;
            this.filter = filter;
        }
    }

    Consumers(SessionContext context, Output output) {
        this.context = context;
        this.output = output;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void onSubscribe(ControlFrame.Subscribe request) {
        int id = request.subscriptionId();
        Producers.checkId("subscription id", id);
        if (entries.get(id) != null) {
            throw new RefusedException(
                    ErrorCode.DUPLICATE_ID, "subscription id " + id + " is in use");
        }
        Source source = request.source();
        checkKind(source.kind());
        SubscriptionFilter filter = filterOf(source);
        checkLimits(filter);
        Topic topic = context.topics().acquire(source.destination());
        Subscription subscription =
                new Subscription(
                        id,
                        output,
                        request.noLocal(),
                        topic,
                        context.backlogMemory(),
                        context.bufferBytes());
        Entry entry = new Entry(topic, subscription, filter);
        entries.add(id, entry);
        count++;
        selectorCharacters += filter.characters();
        context.counters().subscriptions.incrementAndGet();
        if (filter.isEmpty()) {
            install(request, entry, null);
        } else {
            parse(request, entry);
        }
    }

    private void checkLimits(SubscriptionFilter filter) {
        SessionConfig config = context.config();
        if (count >= config.maxSubscriptions()) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-subscriptions is " + config.maxSubscriptions());
        }
        if (selectorCharacters + (long) filter.characters() > config.maxSelectorCharacters()) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-selector-characters is " + config.maxSelectorCharacters());
        }
    }

    private static SubscriptionFilter filterOf(Source source) {
        SubscriptionFilter filter =
                new SubscriptionFilter(source.selector(), source.correlationIdFilter());
        return filter.isEmpty() ? SubscriptionFilter.NONE : filter;
    }

    static void checkKind(DestinationKind kind) {
        if (kind != DestinationKind.TOPIC) {
            throw new RefusedException(
                    ErrorCode.NOT_SUPPORTED, "queues are not supported by this version");
        }
    }

    private void parse(ControlFrame.Subscribe request, Entry entry) {
        try {
            context.selectors()
                    .parse(
                            entry.filter,
                            selector -> install(request, entry, selector),
                            refused -> output.loop().execute(() -> undo(request, entry, refused)));
        } catch (RefusedException e) {
            undo(request, entry, e);
        }
    }

    /// Any thread.
    private void install(ControlFrame.Subscribe request, Entry entry, @Nullable Selector selector) {
        entry.topic
                .owner()
                .execute(() -> {
                    try {
                        entry.topic.add(entry.subscription, entry.filter, selector);
                    } catch (RuntimeException | Error e) {
                        LOG.error("{}: a subscription was not added", output, e);
                        RefusedException refused =
                                new RefusedException(
                                        ErrorCode.INTERNAL_ERROR, "subscription: " + e);
                        output.loop().execute(() -> undo(request, entry, refused));
                        return;
                    }
                    output.loop().execute(() -> onInstalled(request, entry));
                });
    }

    private void onInstalled(ControlFrame.Subscribe request, Entry entry) {
        entry.installed = true;
        if (closed) {
            uninstall(entry);
            return;
        }
        output.write(new ControlFrame.Accepted(request.requestId()));
        if (entry.pendingEnd != null) {
            end(entry, entry.pendingEnd);
            return;
        }
        entry.subscription.onCredit(request.creditMessages(), request.creditBytes());
    }

    private void undo(ControlFrame.Subscribe request, Entry entry, RefusedException refused) {
        context.topics().release(entry.topic);
        context.counters().subscriptions.decrementAndGet();
        if (closed) {
            return;
        }
        forget(entry);
        refuse(request.requestId(), refused);
        if (entry.pendingEnd != null) {
            refuse(entry.pendingEnd.requestId(), unknown(request.subscriptionId()));
        } else {
            entries.remove(request.subscriptionId());
        }
    }

    private void refuse(int requestId, RefusedException refused) {
        context.counters().refusals.increment();
        output.write(
                new ControlFrame.Refused(
                        requestId, refused.code().number(), String.valueOf(refused.getMessage())));
    }

    private static RefusedException unknown(int subscriptionId) {
        return new RefusedException(
                ErrorCode.UNKNOWN_SUBSCRIPTION,
                "subscription " + subscriptionId + " does not exist");
    }

    /// Frees the id at once. A subscription that is still being made is ended, and the request
    /// answered, when it has been.
    void onUnsubscribe(ControlFrame.Unsubscribe request) {
        int id = request.subscriptionId();
        Entry entry = entries.get(id);
        if (entry == null) {
            throw unknown(id);
        }
        entries.remove(id);
        entry.subscription.close();
        if (entry.installed) {
            end(entry, request);
        } else {
            entry.pendingEnd = request;
        }
    }

    private void end(Entry entry, ControlFrame.Unsubscribe request) {
        forget(entry);
        uninstall(entry);
        output.write(new ControlFrame.Accepted(request.requestId()));
    }

    private void forget(Entry entry) {
        count--;
        selectorCharacters -= entry.filter.characters();
    }

    private void uninstall(Entry entry) {
        context.counters().subscriptions.decrementAndGet();
        entry.topic
                .owner()
                .execute(() -> {
                    entry.topic.remove(entry.subscription);
                    context.topics().release(entry.topic);
                });
    }

    /// Credit for any number of subscriptions; `in` stands behind the frame's type.
    void onCredit(WireReader in) {
        do {
            int id = in.readVarint();
            int messages = in.readVarint();
            int bytes = in.readVarint();
            Entry entry = entries.get(id);
            if (entry != null) {
                entry.subscription.onCredit(messages, bytes);
            } else if (id < 1 || id > winnow.wire.Protocol.MAX_ID) {
                throw new WireException(
                        ErrorCode.MALFORMED_FRAME,
                        "ConsumerCredit: expected a subscription id, found " + id);
            }
        } while (in.remaining() > 0);
    }

    void onWritable() {
        entries.forEach(entry -> entry.subscription.onWritable());
    }

    void close() {
        closed = true;
        entries.forEach(entry -> {
            entry.subscription.close();
            if (entry.installed) {
                uninstall(entry);
            }
        });
        entries.clear();
    }
}
