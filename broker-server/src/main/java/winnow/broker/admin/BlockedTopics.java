package winnow.broker.admin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import winnow.broker.admin.request.Listing;
import winnow.broker.destination.HeldProducer;
import winnow.broker.destination.Topic;
import winnow.broker.metrics.BlockReason;
import winnow.broker.metrics.Culprit;

/// One page of the topics whose producers are held back, with these producers and the subscriptions
/// that are the reason. Owned by one thread.
final class BlockedTopics {
    private final List<Blocked> topics = new ArrayList<>();
    private boolean more;
    private int producersLeft;
    private int culpritsLeft;
    private int charactersLeft = Listing.MAX_CHARACTERS;

    /// A topic whose producers are held back.
    ///
    /// @param producers how many are held back
    /// @param reason which limit of which subscription it is, empty if another event loop lags
    /// @param truncated whether some of the culprits or producers are left out
    record Blocked(
            String topic,
            int producers,
            String reason,
            List<HoldingSubscription> culprits,
            List<HeldBackProducer> heldBack,
            boolean truncated) {}

    /// A subscription that holds producers back.
    ///
    /// @param subscription its number and the connection whose it is
    /// @param limit that it exceeds
    /// @param waitingBytes what waits until the client takes it
    record HoldingSubscription(String subscription, String limit, long waitingBytes) {
        HoldingSubscription(Culprit culprit) {
            this(culprit.consumer(), text(culprit.reason()), culprit.backlogBytes());
        }
    }

    /// A producer that is held back.
    ///
    /// @param connection as in the list of connections
    /// @param client identifier that the client gave, empty if it gave none
    /// @param user empty if clients need no credentials
    /// @param since time in UTC (ISO 8601)
    /// @param limit that holds it back
    record HeldBackProducer(
            String connection,
            String client,
            String user,
            String address,
            String since,
            String limit) {
        HeldBackProducer(HeldProducer held) {
            this(
                    held.connection(),
                    held.client(),
                    held.user(),
                    held.address(),
                    held.since().toString(),
                    text(held.limit()));
        }
    }

    private BlockedTopics(int limit) {
        producersLeft = limit;
        culpritsLeft = limit;
    }

    /// The topics by name.
    ///
    /// @param after only those behind this name
    /// @param limit so many topics, culprits and producers at most, each of them in all
    static BlockedTopics of(Collection<Topic> all, String after, int limit) {
        BlockedTopics page = new BlockedTopics(limit);
        List<Topic> blocked =
                all.stream()
                        .filter(topic -> topic.blocked() || topic.blockedProducers() > 0)
                        .filter(topic -> topic.name().compareTo(after) > 0)
                        .sorted(Comparator.comparing(Topic::name))
                        .limit(limit + 1L)
                        .toList();
        for (Topic topic : blocked) {
            if (page.topics.size() == limit || page.charactersLeft <= 0) {
                page.more = true;
                return page;
            }
            page.add(topic);
        }
        return page;
    }

    List<Blocked> topics() {
        return topics;
    }

    /// Name of the last one, empty if there is nothing behind it.
    String last() {
        return more ? topics.getLast().topic() : "";
    }

    private void add(Topic topic) {
        int producers = topic.blockedProducers();
        List<HoldingSubscription> culprits = new ArrayList<>();
        boolean whole = addCulprits(topic, culprits);
        List<HeldBackProducer> heldBack = new ArrayList<>();
        whole &= addProducers(topic, heldBack);
        String reason = topic.blockReason();
        charactersLeft -= topic.name().length() + reason.length();
        topics.add(
                new Blocked(
                        topic.name(),
                        Math.max(producers, heldBack.size()),
                        reason,
                        culprits,
                        heldBack,
                        !whole));
    }

    /// @return whether that were all
    private boolean addCulprits(Topic topic, List<HoldingSubscription> to) {
        for (Culprit culprit : topic.culprits(culpritsLeft + 1)) {
            if (culpritsLeft == 0 || charactersLeft <= 0) {
                return false;
            }
            culpritsLeft--;
            charactersLeft -= culprit.consumer().length();
            to.add(new HoldingSubscription(culprit));
        }
        return true;
    }

    /// @return whether that were all
    private boolean addProducers(Topic topic, List<HeldBackProducer> to) {
        for (HeldProducer held : topic.heldProducers(producersLeft + 1)) {
            if (producersLeft == 0 || charactersLeft <= 0) {
                return false;
            }
            producersLeft--;
            charactersLeft -= held.client().length() + held.user().length();
            to.add(new HeldBackProducer(held));
        }
        return true;
    }

    /// As metrics write it.
    private static String text(BlockReason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
