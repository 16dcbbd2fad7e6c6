package winnow.loadgen.fake;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The topics of this process. Thread-safe: a subscription is called under its own lock, so each
/// listener sees one thread at a time, as Jakarta Messaging demands.
final class FakeBroker {

    private static final int FAULT_EVERY = 50;
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private static final Map<String, List<Subscription>> TOPICS = new ConcurrentHashMap<>();

    private FakeBroker() {}

    static Subscription subscribe(String topic, String selector, Fault fault) {
        var subscription = new Subscription(selector, fault);
        TOPICS.computeIfAbsent(topic, _ -> new CopyOnWriteArrayList<>()).add(subscription);
        return subscription;
    }

    static void remove(String topic, Subscription subscription) {
        TOPICS.getOrDefault(topic, List.of()).remove(subscription);
    }

    static void publish(String topic, FakeMessage message, Fault fault) {
        var copies = 0;
        for (var subscription : TOPICS.getOrDefault(topic, List.of())) {
            copies += subscription.offer(message) ? 1 : 0;
        }
        if (fault == Fault.HALT && copies == 2) {
            Runtime.getRuntime().halt(1);
        }
    }

    static void failAt(long sends, Fault fault) throws JMSException {
        if (fault == Fault.FAIL && sends == FAULT_EVERY) {
            throw new JMSException("fake broker is out of order");
        }
    }

    static boolean breaksAt(long sends, Fault fault) {
        return fault == Fault.BREAK && sends == FAULT_EVERY;
    }

    /// One consumer.
    static final class Subscription {

        private final String name;
        private final Set<String> values = new HashSet<>();
        private final Fault fault;
        private final List<BytesMessage> held = new ArrayList<>();
        private @Nullable MessageListener listener;
        private long copies;

        Subscription(String selector, Fault fault) {
            this.fault = fault;
            name = selector.split(" = ", -1)[0];
            if (!selector.isEmpty()) {
                for (var condition : selector.split(" OR ", -1)) {
                    values.add(condition.split(" = ", -1)[1].replace("'", ""));
                }
            }
        }

        synchronized void listen(MessageListener newListener) {
            listener = newListener;
        }

        /// @return whether it matches
        private synchronized boolean offer(FakeMessage message) {
            if (!name.isEmpty() && !values.contains(message.field(name))) {
                return false;
            }
            copies++;
            var copy = message.copy().asMessage();
            switch (fault) {
                case LOSE -> deliver(copy, copies % FAULT_EVERY == 0 ? 0 : 1);
                case DOUBLE -> deliver(copy, copies % FAULT_EVERY == 0 ? 2 : 1);
                case MISTAKE -> deliver(copy, copies == 1 ? 0 : copies == 5_000 ? 2 : 1);
                case REORDER -> deliverInWrongOrder(copy);
                case STALL -> {
                    if (copies == FAULT_EVERY) {
                        stall();
                    }
                    deliver(copy, 1);
                }
                case NONE, FAIL, BREAK, HALT, REFUSE, CROWDED -> deliver(copy, 1);
            }
            return true;
        }

        private static void stall() {
            var end = System.nanoTime() + STALL_NANOS;
            for (var left = STALL_NANOS; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }

        private void deliverInWrongOrder(BytesMessage copy) {
            if (copies == FAULT_EVERY) {
                held.add(copy);
                return;
            }
            deliver(copy, 1);
            held.forEach(late -> deliver(late, 1));
            held.clear();
        }

        private void deliver(BytesMessage copy, int times) {
            var target = listener;
            for (var i = 0; i < times && target != null; i++) {
                target.onMessage(FakeMessage.behind(copy).copy().asMessage());
            }
        }
    }
}
