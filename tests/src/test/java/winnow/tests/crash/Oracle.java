package winnow.tests.crash;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Knows what clients were promised, and compares what they get with it. Thread-safe.
///
/// The promise: what was confirmed arrives; what was rolled back does not; nothing arrives twice
/// without a mark; nothing arrives after its acknowledgement was confirmed; a transaction whose
/// outcome is not known takes effect as a whole or not at all; a sender's messages come in order,
/// but for marked ones and what was under way on a connection that broke; JMSRedelivered and
/// JMSXDeliveryCount agree.
final class Oracle {
    private final boolean breakable;
    private final Map<MessageKey, Sent> sent = new ConcurrentHashMap<>();
    private final Map<Outlet, Map<MessageKey, Receipts>> received = new ConcurrentHashMap<>();
    private final Map<Outlet, Map<List<Integer>, Long>> last = new ConcurrentHashMap<>();
    private final Set<Long> forbiddenCopies = ConcurrentHashMap.newKeySet();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicLong backlog = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong arrivals = new AtomicLong();
    private final AtomicLong marked = new AtomicLong();
    private final AtomicLong firstArrivals = new AtomicLong();
    private final AtomicLong confirmed = new AtomicLong();
    private final Silence silence = new Silence();
    private final AtomicInteger epoch = new AtomicInteger();

    /// @param breakable whether connections may be lost without anybody being killed
    Oracle(boolean breakable) {
        this.breakable = breakable;
        for (Outlet outlet : Outlet.values()) {
            received.put(outlet, new ConcurrentHashMap<>());
            last.put(outlet, new ConcurrentHashMap<>());
        }
    }

    /// A message is about to be sent.
    ///
    /// @param transaction by which it is sent, 0 for none
    /// @param connection number of the sender's connection
    Sent onSending(
            MessageKey key,
            Target target,
            int kind,
            boolean persistent,
            long transaction,
            int connection) {
        Sent message =
                new Sent(
                        key,
                        target.outlets(kind),
                        kind,
                        persistent,
                        transaction,
                        connection,
                        epoch.get());
        sent.put(key, message);
        return message;
    }

    /// The broker has confirmed it.
    void onKept(Sent message) {
        message.fate = Sent.Fate.KEPT;
        if (message.persistent()) {
            confirmed.incrementAndGet();
            silence.end(System.nanoTime());
            for (Outlet outlet : message.outlets()) {
                if (!has(outlet, message.key())) {
                    backlog.incrementAndGet();
                }
            }
        }
        events.incrementAndGet();
    }

    /// It was rolled back, or never committed.
    void onDropped(Sent message) {
        message.fate = Sent.Fate.DROPPED;
    }

    /// A copy was rolled back, or never committed.
    void onDroppedCopy(long copy) {
        forbiddenCopies.add(copy);
    }

    private boolean has(Outlet outlet, MessageKey key) {
        return of(outlet).containsKey(key);
    }

    private Map<MessageKey, Receipts> of(Outlet outlet) {
        return received.getOrDefault(outlet, Map.of());
    }

    /// An application receives a message.
    void onReceived(Outlet outlet, Arrival arrival) {
        events.incrementAndGet();
        arrivals.incrementAndGet();
        MessageKey key = arrival.key();
        Sent message = sent.get(key);
        if (message == null || !message.outlets().contains(outlet)) {
            violate(outlet, arrival, "was not sent here");
            return;
        }
        if (!arrival.whole() || arrival.kind() != message.kind()) {
            violate(outlet, arrival, "is not what was sent");
        }
        if (arrival.redelivered() != (arrival.count() >= 2)) {
            violate(outlet, arrival, "has a mark and a delivery count that differ");
        }
        if (arrival.redelivered()) {
            marked.incrementAndGet();
        } else {
            checkOrder(outlet, arrival, message);
        }
        Receipts receipts = of(outlet).computeIfAbsent(key, none -> new Receipts());
        if (receipts.isNew()) {
            if (arrival.redelivered() && wasNeverLost(outlet, message)) {
                violate(outlet, arrival, "is marked, but nobody has had it");
            }
            firstArrivals.incrementAndGet();
        }
        if (receipts.isNew() && message.mustArrive()) {
            backlog.decrementAndGet();
        }
        String problem = receipts.add(arrival, epoch.get());
        if (!problem.isEmpty()) {
            violate(outlet, arrival, problem);
        }
    }

    /// True if it cannot have been on its way when a connection was lost.
    private boolean wasNeverLost(Outlet outlet, Sent message) {
        return !breakable && outlet != Outlet.MOVED && message.epoch() == epoch.get();
    }

    /// The broker may read what a connection that broke has left after it has read from the next.
    private void checkOrder(Outlet outlet, Arrival arrival, Sent message) {
        if (outlet.exclusive()) {
            long number = arrival.key().number();
            int sender = arrival.key().sender();
            Map<List<Integer>, Long> numbers = last.getOrDefault(outlet, Map.of());
            Long before =
                    numbers.put(List.of(sender, breakable ? message.connection() : 0), number);
            if (before != null && before >= number) {
                violate(outlet, arrival, "comes behind number " + before);
            }
        }
    }

    private void violate(Outlet outlet, Arrival arrival, String what) {
        onViolation(
                "%s %s: %s (%s, epoch %d)"
                        .formatted(outlet, arrival.key(), what, arrival, epoch.get()));
    }

    void onViolation(String text) {
        violations.add(text);
    }

    /// The broker has confirmed that these were processed: they must not come again.
    void onSettled(Outlet outlet, Collection<MessageKey> keys) {
        keys.forEach(key -> of(outlet).getOrDefault(key, new Receipts()).settle());
    }

    /// These were acknowledged without a confirmation: they must not come again before the broker
    /// is killed.
    void onAcknowledged(Outlet outlet, Collection<MessageKey> keys) {
        int now = epoch.get();
        keys.forEach(key -> of(outlet).getOrDefault(key, new Receipts()).settleUntilAfter(now));
    }

    /// The broker was killed, and no client has a connection.
    void onKilled() {
        epoch.incrementAndGet();
    }

    /// Confirmed messages that have not arrived, counted for each outlet.
    long backlog() {
        return backlog.get();
    }

    /// Sends and receipts so far.
    long events() {
        return events.get();
    }

    /// Confirmed persistent messages so far.
    long confirmed() {
        return confirmed.get();
    }

    /// Begins to look for the longest time without a confirmed persistent message.
    void listen() {
        silence.begin(System.nanoTime());
    }

    /// The longest time without a confirmed persistent message since [#listen].
    long silenceMillis() {
        return silence.longestMillis(System.nanoTime());
    }

    /// Messages that have arrived so far, each once for each outlet.
    long arrived() {
        return firstArrivals.get();
    }

    /// What is wrong so far.
    List<String> violations() {
        return List.copyOf(violations);
    }

    /// What has not arrived.
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (Sent message : sent.values()) {
            for (Outlet outlet : message.outlets()) {
                if (message.mustArrive() && !has(outlet, message.key())) {
                    missing.add(outlet + " " + message.key() + ": confirmed and missing");
                }
            }
        }
        return missing;
    }

    /// What is wrong when all has been received that is there.
    List<String> judge() {
        List<String> all = new ArrayList<>(violations);
        all.addAll(missing());
        Map<Long, String> transactions = new HashMap<>();
        for (Sent message : sent.values()) {
            for (Outlet outlet : message.outlets()) {
                judge(outlet, message, transactions, all);
            }
        }
        return all;
    }

    private void judge(
            Outlet outlet, Sent message, Map<Long, String> transactions, List<String> all) {
        Receipts receipts = of(outlet).get(message.key());
        String where = outlet + " " + message.key();
        if (message.fate == Sent.Fate.DROPPED && receipts != null) {
            all.add(where + ": rolled back and received");
        }
        if (receipts != null && receipts.copies().stream().anyMatch(forbiddenCopies::contains)) {
            all.add(where + ": a copy was rolled back and received");
        }
        boolean there = receipts != null;
        if (message.transaction() != 0 && message.persistent()) {
            String outcome = there ? "there" : "missing";
            String other = transactions.putIfAbsent(message.transaction(), outcome);
            if (other != null && !other.equals(outcome)) {
                all.add(where + ": " + outcome + ", but others of its transaction are not");
            }
        }
    }

    /// Figures of the run.
    String summary() {
        Map<String, Integer> fates = new TreeMap<>();
        for (Sent message : sent.values()) {
            fates.merge(message.fate.toString(), 1, Integer::sum);
        }
        return "sent %s, received %d, of which marked %d"
                .formatted(fates, arrivals.get(), marked.get());
    }
}
