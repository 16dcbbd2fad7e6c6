package winnow.broker.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.destination.SlowConsumerPolicy;
import winnow.broker.destination.SlowConsumerPolicy.Action;
import winnow.broker.destination.Topic;
import winnow.broker.fault.LogQuota;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.DropReason;
import winnow.broker.subscription.BudgetListener;
import winnow.broker.subscription.Subscription;
import winnow.broker.subscription.SubscriptionsBehind;

/// The subscriptions of one connection that are behind or hold producers back, and what is done
/// about them by the policies of their topics. Owned by the connection's event loop.
final class SlowConsumers {
    private static final Logger LOG = LoggerFactory.getLogger(SlowConsumers.class);
    private static final LogQuota QUOTA = new LogQuota();

    private final BrokerCounters counters;
    private final SubscriptionsBehind behind;
    private final Consumer<String> disconnect;
    private final Map<Subscription, Watch> watched = new LinkedHashMap<>();

    /// @param behind those of all connections
    /// @param disconnect closes the connection for a reason
    SlowConsumers(
            BrokerCounters counters, SubscriptionsBehind behind, Consumer<String> disconnect) {
        this.counters = counters;
        this.behind = behind;
        this.disconnect = disconnect;
    }

    /// Listener that learns that a new subscription of the topic exceeds its budget.
    BudgetListener listener(Topic topic) {
        return switch (topic.slowConsumerPolicy().action()) {
            case BLOCK -> new Blocking(topic);
            case SPILL -> new Spilling(topic);
            case DROP_OLDEST, DISCONNECT -> new Watched(topic);
        };
    }

    /// Called every [ClientConnection#TICK_MILLIS].
    void onTick() {
        if (!watched.isEmpty()) {
            for (Map.Entry<Subscription, Watch> one : List.copyOf(watched.entrySet())) {
                Subscription subscription = one.getKey();
                // Some may have been closed together with one that came before them.
                if (watched.containsKey(subscription) && !subscription.closed()) {
                    one.getValue().onTick(subscription);
                }
            }
        }
    }

    private void disconnect(Topic topic, String why) {
        counters.slowDisconnected.increment();
        warn(topic, "the connection is closed: " + why);
        disconnect.accept("slow consumer: topic '" + topic.name() + "': " + why);
    }

    private void onLost(Topic topic, Subscription subscription, String why) {
        disconnect(topic, subscription + " was behind, and what waited cannot be read: " + why);
    }

    private static void warn(Topic topic, String what) {
        QUOTA.log(leftOut ->
                LOG.atWarn()
                        .addKeyValue("topic", topic.name())
                        .log("Slow consumer of topic '{}', {}{}", topic.name(), what, leftOut));
    }

    /// Looks at a subscription again and again.
    private interface Watch {
        void onTick(Subscription subscription);
    }

    /// One subscription that holds producers back for as long as it takes.
    private final class Blocking implements BudgetListener {
        private final Topic topic;

        Blocking(Topic topic) {
            this.topic = topic;
        }

        @Override
        public void onOverBudget(Subscription subscription) {
            topic.onOverBudget(subscription);
        }

        @Override
        public void onRelieved(Subscription subscription) {
            topic.onRelieved(subscription);
        }

        @Override
        public void onLost(Subscription subscription, String why) {
            SlowConsumers.this.onLost(topic, subscription, why);
        }
    }

    /// One subscription that may be behind without holding producers back.
    private final class Spilling implements BudgetListener {
        private final Topic topic;
        private @Nullable ConsumerBehind entry;
        private boolean told;

        Spilling(Topic topic) {
            this.topic = topic;
        }

        @Override
        public boolean holdsBack() {
            return false;
        }

        @Override
        public void onBehind(Subscription subscription) {
            if (entry == null) {
                ConsumerBehind begun =
                        new ConsumerBehind(
                                topic.name(),
                                subscription,
                                why -> disconnect(topic, subscription + " " + why));
                entry = begun;
                watched.put(subscription, _ -> onTick(begun));
                behind.add(begun);
            }
        }

        private void onTick(ConsumerBehind one) {
            String due = one.onTick(behind.limits());
            if (!due.isEmpty()) {
                one.end(due);
            } else if (one.isWorthALine()) {
                warn(topic, one.describe());
            }
        }

        @Override
        public void onCaughtUp(Subscription subscription) {
            if (!told) {
                end(subscription);
            }
        }

        /// All together keep too much: the topic waits until the file has taken some, or somebody
        /// has gone.
        @Override
        public void onOverBudget(Subscription subscription) {
            onBehind(subscription);
            told = true;
            topic.onOverBudget(subscription);
        }

        @Override
        public void onRelieved(Subscription subscription) {
            told = false;
            topic.onRelieved(subscription);
            if (!subscription.full()) {
                end(subscription);
            }
        }

        private void end(Subscription subscription) {
            watched.remove(subscription);
            ConsumerBehind ended = entry;
            entry = null;
            if (ended != null) {
                behind.remove(ended);
                if (ended.wasLogged() && !subscription.closed()) {
                    LOG.atInfo()
                            .addKeyValue("topic", topic.name())
                            .log("{} of topic '{}' has caught up", subscription, topic.name());
                }
            }
        }

        @Override
        public void onLost(Subscription subscription, String why) {
            SlowConsumers.this.onLost(topic, subscription, why);
        }
    }

    /// One subscription, between its topic and what is done about it.
    private final class Watched implements BudgetListener, Watch {
        private static final long NONE = -1;

        private final Topic topic;
        private final SlowConsumerPolicy policy;
        private boolean told;
        private int ticks;

        /// Messages that the client had taken when the ticks began, and when some were dropped.
        private long taken;

        private long takenAtDrop = NONE;

        Watched(Topic topic) {
            this.topic = topic;
            this.policy = topic.slowConsumerPolicy();
        }

        @Override
        public void onOverBudget(Subscription subscription) {
            watched.put(subscription, this);
            ticks = 0;
            taken = subscription.takenMessages();
            if (policy.action() == Action.DROP_OLDEST && isDueAtOnce()) {
                drop(subscription);
            }
            if (watched.containsKey(subscription)) {
                told = true;
                topic.onOverBudget(subscription);
            }
        }

        /// A consumer that has taken nothing since messages were dropped has had its time.
        private boolean isDueAtOnce() {
            return policy.after().isZero() || taken == takenAtDrop;
        }

        @Override
        public void onRelieved(Subscription subscription) {
            watched.remove(subscription);
            if (told) {
                told = false;
                topic.onRelieved(subscription);
            }
        }

        @Override
        public void onLost(Subscription subscription, String why) {
            SlowConsumers.this.onLost(topic, subscription, why);
        }

        @Override
        public void onTick(Subscription subscription) {
            long now = subscription.takenMessages();
            if (!subscription.full() && now != taken) {
                // It holds producers back for what others keep, and takes what it gets.
                ticks = 0;
                taken = now;
                return;
            }
            ticks++;
            if ((long) ticks * ClientConnection.TICK_MILLIS < policy.after().toMillis()) {
                return;
            }
            if (policy.action() == Action.DISCONNECT) {
                disconnect(subscription);
            } else {
                drop(subscription);
            }
        }

        private void drop(Subscription subscription) {
            String reason = subscription.overBudgetReason();
            Subscription.Dropped dropped =
                    subscription.dropOldest(
                            subscription.full() ? subscription.budgetBytes() / 2 - 1 : 0);
            takenAtDrop = subscription.takenMessages();
            counters.dropped.add(DropReason.SLOW_CONSUMER, dropped.messages());
            warn(topic, "the oldest " + dropped.messages() + " messages are dropped: " + reason);
        }

        private void disconnect(Subscription subscription) {
            SlowConsumers.this.disconnect(
                    topic,
                    subscription.overBudgetReason()
                            + "; destination.slow-consumers allows that for "
                            + policy.after().toMillis()
                            + " ms");
        }
    }
}
