package winnow.broker.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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

/// The subscriptions of one connection that hold producers back, and what is done about them by the
/// policies of their topics. Owned by the connection's event loop.
final class SlowConsumers {
    private static final Logger LOG = LoggerFactory.getLogger(SlowConsumers.class);
    private static final LogQuota QUOTA = new LogQuota();

    private final BrokerCounters counters;
    private final Consumer<String> disconnect;
    private final Map<Subscription, Watched> watched = new LinkedHashMap<>();

    /// @param disconnect closes the connection for a reason
    SlowConsumers(BrokerCounters counters, Consumer<String> disconnect) {
        this.counters = counters;
        this.disconnect = disconnect;
    }

    /// Who learns that a new subscription of the topic exceeds its budget.
    BudgetListener listener(Topic topic) {
        return topic.slowConsumerPolicy().action() == Action.BLOCK ? topic : new Watched(topic);
    }

    /// Called every [ClientConnection#TICK_MILLIS].
    void onTick() {
        if (!watched.isEmpty()) {
            List.copyOf(watched.entrySet()).forEach(one -> one.getValue().onTick(one.getKey()));
        }
    }

    /// One subscription, between its topic and what is done about it.
    private final class Watched implements BudgetListener {
        private static final long NONE = -1;

        private final Topic topic;
        private final SlowConsumerPolicy policy;
        private boolean told;
        private int ticks;

        /// The oldest message that waited when the ticks began to count, and when messages were
        /// dropped.
        private long oldest;

        private long oldestAfterDrop = NONE;

        Watched(Topic topic) {
            this.topic = topic;
            this.policy = topic.slowConsumerPolicy();
        }

        @Override
        public void onOverBudget(Subscription subscription) {
            watched.put(subscription, this);
            ticks = 0;
            oldest = subscription.oldestWaiting();
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
            return policy.after().isZero() || oldest == oldestAfterDrop;
        }

        @Override
        public void onRelieved(Subscription subscription) {
            watched.remove(subscription);
            if (told) {
                told = false;
                topic.onRelieved(subscription);
            }
        }

        void onTick(Subscription subscription) {
            if (!watched.containsKey(subscription)) {
                // Closed together with one that came before it.
                return;
            }
            long now = subscription.oldestWaiting();
            if (!subscription.full() && now != oldest) {
                // It holds producers back for what others keep, and takes what it gets.
                ticks = 0;
                oldest = now;
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
            oldestAfterDrop = subscription.oldestWaiting();
            counters.dropped.add(DropReason.SLOW_CONSUMER, dropped.messages());
            warn("the oldest " + dropped.messages() + " messages are dropped: " + reason);
        }

        private void disconnect(Subscription subscription) {
            String reason = subscription.overBudgetReason();
            counters.slowDisconnected.increment();
            warn("the connection is closed: " + reason);
            disconnect.accept(
                    "slow consumer: topic '"
                            + topic.name()
                            + "': "
                            + reason
                            + "; destination.slow-consumers allows that for "
                            + policy.after().toMillis()
                            + " ms");
        }

        private void warn(String what) {
            QUOTA.log(leftOut ->
                    LOG.atWarn()
                            .addKeyValue("topic", topic.name())
                            .log("Slow consumer of topic '{}', {}{}", topic.name(), what, leftOut));
        }
    }
}
