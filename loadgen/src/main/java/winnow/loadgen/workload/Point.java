package winnow.loadgen.workload;

import java.util.Map;
import java.util.stream.IntStream;

/// One combination that is measured: who sends what to which topics, and who filters on what. Its
/// components are the axes of a [Scenario]. Immutable.
///
/// Each publisher sends in turn to every topic and, on each topic, every id: these pairs are the
/// targets, numbered from 0. A topic has groups of subscribers; those of one group filter on the
/// same ids, and each id is that of one group. Subscribers are numbered from 0, those that get
/// messages first. Ids are numbers here and `#number` in messages and filters.
///
/// @param filter what the subscribers filter on
/// @param publishers how many publishers, each with its own connection
/// @param matching subscribers in each group, and so the copies of each message: r in the paper
/// @param others further subscribers, whose filters match no message: n in section 4.9
/// @param groups groups of subscribers on each topic: section 4.6
/// @param topics topics that each publisher sends to: section 4.5
/// @param alternatives ids that each filter joins by OR: section 4.7
/// @param conditions properties that each filter joins by AND: section 4.8
/// @param order which of these conditions holds the id
/// @param properties properties that each message has, if that are more than there are conditions
/// @param bodyBytes size of every message's body: section 4.3
/// @param identicalOthers whether the filters that match nothing are the same
/// @param othersConnections connections that the others share; 0 for one each, as in the paper
/// @param series name of the curve that it is a point of, where the other axes do not tell
/// @param use fitted or predicted
public record Point(
        FilterKind filter,
        int publishers,
        int matching,
        int others,
        int groups,
        int topics,
        int alternatives,
        int conditions,
        Order order,
        int properties,
        int bodyBytes,
        boolean identicalOthers,
        int othersConnections,
        String series,
        PointUse use) {

    public Point {
        if (filter == null || order == null || series == null || use == null) {
            throw new IllegalArgumentException("found a point without filter, order, series, use");
        }
        atLeast(1, publishers, "publishers");
        atLeast(0, matching, "matching");
        atLeast(0, others, "others");
        atLeast(1, groups, "groups");
        atLeast(1, topics, "topics");
        atLeast(1, alternatives, "alternatives");
        atLeast(1, conditions, "conditions");
        atLeast(0, properties, "properties");
        atLeast(0, bodyBytes, "body bytes");
        atLeast(0, othersConnections, "connections of the others");
        atMost((double) topics * groups * matching + others, "subscribers");
        atMost((double) topics * groups * alternatives, "targets");
        atMost(((double) groups + others + 1) * alternatives, "ids");
        if (filter == FilterKind.NONE && others + groups + alternatives + conditions > 3) {
            throw new IllegalArgumentException("without filters every subscriber matches");
        }
        if (filter == FilterKind.CORRELATION_ID && conditions > 1) {
            throw new IllegalArgumentException(
                    "a message has one correlation ID: expected one condition, found "
                            + conditions);
        }
    }

    private static void atLeast(int least, int value, String what) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "expected %s >= %d, found %d".formatted(what, least, value));
        }
    }

    private static void atMost(double value, String what) {
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "expected at most %,d %s, found %,.0f"
                            .formatted(Integer.MAX_VALUE, what, value));
        }
    }

    /// All axes that are not named have their defaults: [Axes#DEFAULTS].
    public static Point of(Map<String, ?> axes) {
        return Axes.point(axes);
    }

    /// One topic and one id, fitted.
    public static Point of(FilterKind filter, int publishers, int matching, int others) {
        return of(
                Map.of(
                        "filter",
                        filter,
                        "publishers",
                        publishers,
                        "matching",
                        matching,
                        "others",
                        others));
    }

    /// The same point with another value on one axis.
    public Point with(String axis, Object value) {
        return Axes.with(this, axis, value);
    }

    /// All subscribers, matching or not.
    public int subscribers() {
        return receivers() + others;
    }

    /// Subscribers that get messages: the first ones.
    public int receivers() {
        return topics * groups * matching;
    }

    /// All filters: one per subscriber, or none. With one topic this is n_fltr of the model.
    public int installedFilters() {
        return filter == FilterKind.NONE ? 0 : subscribers();
    }

    /// Filters that do not match a message: n in section 4.9.
    public int unmatchedFilters() {
        return Math.max(0, installedFilters() - matching);
    }

    /// Different ids on each topic.
    public int ids() {
        return groups * alternatives;
    }

    /// Pairs of a topic and an id, which each publisher sends in turn.
    public int targets() {
        return topics * ids();
    }

    /// Topic of a target, from 0.
    public int topicOf(int target) {
        return target % topics;
    }

    /// Id of a target: #0 if there is only one, as in section 4.9 of the paper; else from #1 on.
    public int idOf(int target) {
        return firstId() + target / topics;
    }

    private int firstId() {
        return ids() == 1 ? 0 : 1;
    }

    /// Topic of a subscriber, from 0.
    public int subscribedTopic(int subscriber) {
        return isReceiver(subscriber)
                ? subscriber / matching % topics
                : (subscriber - receivers()) % topics;
    }

    /// The first of the ids on which a subscriber filters; the others follow it.
    public int firstSubscribedId(int subscriber) {
        if (isReceiver(subscriber)) {
            return firstId() + subscriber / matching / topics * alternatives;
        }
        var other = identicalOthers ? 0 : subscriber - receivers();
        return firstId() + ids() + other * alternatives;
    }

    /// True if a subscriber is to get the messages to a target.
    public boolean selects(int subscriber, int target) {
        if (!isReceiver(subscriber) || subscribedTopic(subscriber) != topicOf(target)) {
            return false;
        }
        var first = firstSubscribedId(subscriber);
        return filter == FilterKind.NONE
                || (idOf(target) >= first && idOf(target) < first + alternatives);
    }

    /// The targets whose messages a subscriber is to get.
    public IntStream selectedTargets(int subscriber) {
        return isReceiver(subscriber)
                ? IntStream.range(0, targets()).filter(target -> selects(subscriber, target))
                : IntStream.empty();
    }

    /// The same point without what the model varies: points that are alike in the rest follow one
    /// model.
    public Point load() {
        return with("publishers", 1)
                .with("matching", 1)
                .with("others", 0)
                .with("groups", 1)
                .with("series", "")
                .with("use", PointUse.FIT);
    }

    private boolean isReceiver(int subscriber) {
        return subscriber < receivers();
    }

    /// For progress lines and messages.
    public String label() {
        return Axes.label(this);
    }
}
