package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.wire.DestinationKind;

/// Clients, a shard, its log and its readers on one thread, whose steps a seed orders; now and then
/// everything but the log's surviving part is thrown away. A [ShardOracle] watches.
final class ShardSimulation {
    private static final String ANSWERS = "answers";
    private static final String FLEETING = "fleeting";
    private static final String BURYING = "jobs";
    private static final List<String> QUEUES = List.of("orders", BURYING, ANSWERS);
    private static final String TOPIC = "news";
    private static final List<Return> HOW = List.of(Return.values());
    private static final List<String> ALL = List.of("dense", "even", "third");
    private static final ShardConfig CONFIG =
            new ShardConfig(
                    3000,
                    30,
                    10,
                    500,
                    ShardOracle.DEAD_LETTERS,
                    ShardSimulation::policy,
                    PreparedLimits.DEFAULTS,
                    64L << 20,
                    LinearLaneIndex::new,
                    ShardConfig.DEFAULTS.heap());

    private final Random random;
    private final ShardOracle oracle = new ShardOracle();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<Runnable> reads = new ArrayList<>();
    private final Map<String, StoredSubscription> subscriptions = new LinkedHashMap<>();
    private final List<SimulatedClient> clients = new ArrayList<>();

    /// Those that have ended and still have messages.
    private final List<SimulatedClient> departed = new ArrayList<>();

    private final Map<Spec, Target> unconfirmed = new LinkedHashMap<>();
    private final SimulatedTransactions transactions;
    private SimulatedLog log;
    private Shard shard;
    private long nowMillis = 1_000_000;
    private long lastId = Blocks.GROUPED;

    /// Who has which group of which lane.
    private final Map<String, SimulatedClient> groupOwners = new HashMap<>();

    private int incarnation;

    /// The log takes no more; only a restart helps.
    private boolean failing;

    /// It has failed, and messages may have been delivered that the log knows nothing of.
    private boolean suspect;

    int crashes;
    int collected;

    ShardSimulation(long seed) {
        random = new Random(seed);
        transactions = new SimulatedTransactions(this, random, oracle);
        log = new SimulatedLog(tasks::add);
        shard = open(false);
        for (String name : ALL) {
            shard.subscribe(
                    shard.topic(TOPIC),
                    new SubscriptionName(
                            "app",
                            name,
                            false,
                            true,
                            false,
                            name.equals("dense") ? "" : "x = 1",
                            ""),
                    Outcome.IGNORED);
        }
        shard.queue("orders");
        shard.queue(BURYING);
        subscribeFleeting();
        shard.queue(ShardOracle.DEAD_LETTERS);
        shard.flush();
        settleDown();
        findSubscriptions();
    }

    private static Policy policy(DestinationKind kind, String name) {
        Policy policy = Policy.DEFAULTS.withRedelivery(new Redelivery(4, 50, 1.5, 100));
        return name.equals(BURYING)
                ? policy.withBacklog(new Backlog(20, 0, Backlog.Overflow.BURY_OLDEST))
                : policy;
    }

    private Shard open(boolean allSuspect) {
        return ShardRecovery.open(
                log,
                CONFIG,
                tasks::add,
                reads::add,
                number -> "name " + number,
                new ShardTime(nowMillis),
                allSuspect);
    }

    /// What does not survive a crash.
    private void subscribeFleeting() {
        shard.temporaryQueue(ANSWERS);
        shard.subscribe(
                shard.topic(TOPIC),
                new SubscriptionName("", FLEETING, true, false, false, "", ""),
                Outcome.IGNORED);
    }

    private void findSubscriptions() {
        subscriptions.clear();
        for (StoredSubscription one : shard.catalog().subscriptions()) {
            String name =
                    one.name().subscription().isEmpty()
                            ? one.destination().name()
                            : one.name().subscription();
            subscriptions.put(name, one);
        }
    }

    private SimulatedClient client(String name, @Nullable MessageFilter filter) {
        StoredSubscription stored = subscriptions.get(name);
        if (stored == null) {
            throw new IllegalStateException(name);
        }
        return new SimulatedClient(
                name, shard, stored, filter, oracle, groupOwners, () -> nowMillis);
    }

    /// How many messages clients have received.
    int deliveries() {
        return oracle.deliveries();
    }

    /// One step of somebody.
    void step() {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> send();
            case 4, 5 -> acknowledge();
            case 6 -> giveBack();
            case 7 -> attachOrDetach();
            case 8 -> {
                transactions.commit();
                transactions.decide();
            }
            case 9 -> credit();
            case 10 -> advance();
            case 11 -> {
                if (random.nextInt(30) == 0) {
                    crash();
                } else if (random.nextInt(10) == 0) {
                    collect();
                } else if (random.nextInt(100) == 0) {
                    failing = true;
                    log.fail(LogException.Reason.IO);
                }
            }
            case 12, 13 -> {
                if (!reads.isEmpty()) {
                    reads.remove(random.nextInt(reads.size())).run();
                }
            }
            case 14, 15, 16 -> {
                if (log.busy()) {
                    log.step();
                }
            }
            default -> {
                if (!tasks.isEmpty()) {
                    tasks.removeFirst().run();
                }
            }
        }
        if (random.nextInt(3) > 0) {
            shard.flush();
        }
    }

    /// Where a message goes.
    ///
    /// @param queue empty if it is the topic
    /// @param names subscriptions that it is for
    private record Target(String queue, Set<String> names, Recipients recipients) {}

    private StoredDestination destination(Target target) {
        return target.queue.isEmpty() ? shard.topic(TOPIC) : shard.queue(target.queue);
    }

    private Target target() {
        if (random.nextBoolean()) {
            String queue = QUEUES.get(random.nextInt(QUEUES.size()));
            return new Target(queue, Set.of(queue), Recipients.NONE);
        }
        Set<String> names = new HashSet<>(Set.of("dense", FLEETING));
        List<Integer> recipients = new ArrayList<>();
        for (String selective : List.of("even", "third")) {
            StoredSubscription one = subscriptions.get(selective);
            if (one != null && random.nextBoolean()) {
                names.add(selective);
                recipients.add(one.id());
            }
        }
        return new Target(
                "",
                names,
                Recipients.of(recipients.stream().mapToInt(Integer::intValue).toArray()));
    }

    private Spec spec(boolean persistent) {
        return new Spec(
                ++lastId,
                persistent,
                random.nextInt(4) == 0 ? random.nextInt(10) : 4,
                random.nextInt(8) == 0 ? nowMillis + 1 + random.nextInt(500) : 0,
                random.nextInt(8) == 0 ? nowMillis + random.nextInt(300) : 0,
                8 + (random.nextInt(4) == 0 ? random.nextInt(900) : random.nextInt(40)));
    }

    private void send() {
        Spec spec = spec(random.nextInt(3) > 0);
        Target target = target();
        oracle.onSending(spec, target.names);
        send(spec, target);
    }

    private void send(Spec spec, Target target) {
        if (spec.persistent()) {
            unconfirmed.put(spec, target);
        }
        shard.append(
                destination(target),
                Blocks.block(spec),
                Blocks.maxNameId(spec.id()),
                target.recipients,
                spec.persistent() ? "message " + spec.id() : "",
                outcome(() -> {
                    unconfirmed.remove(spec);
                    oracle.onSent(spec.id(), target.names, spec.persistent());
                }));
    }

    /// Runs the action when it is done, unless there was a crash meanwhile.
    Outcome outcome(Runnable done) {
        int then = incarnation;
        return new Outcome() {
            @Override
            public void onDone() {
                if (then == incarnation) {
                    done.run();
                }
            }

            @Override
            public void onFailed(LogException failure) {
                assertThat(failing || then < incarnation).as("%s", failure).isTrue();
            }
        };
    }

    /// One who may have messages, null if there is none.
    private @Nullable SimulatedClient anybody() {
        departed.removeIf(client -> client.ids.isEmpty());
        List<SimulatedClient> all =
                departed.isEmpty() || random.nextInt(3) > 0 ? clients : departed;
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private void acknowledge() {
        SimulatedClient client = anybody();
        if (client == null) {
            return;
        }
        List<Long> taken = client.some(random);
        taken.forEach(id -> oracle.onAcknowledging(client.subscription, id));
        boolean sync = random.nextBoolean();
        Outcome acknowledged =
                outcome(() -> {
                    if (sync || !failing) {
                        taken.forEach(id -> oracle.onAcknowledged(client.subscription, id, sync));
                    }
                });
        shard.acknowledge(
                client.consumer,
                client.takeSequences(taken),
                sync ? Durability.SYNCED : Durability.WRITTEN,
                sync || random.nextBoolean() ? acknowledged : Outcome.IGNORED);
    }

    private void giveBack() {
        SimulatedClient client = anybody();
        if (client != null) {
            client.release(client.some(random), how());
        }
    }

    /// Who was refused an acknowledgement cannot say that it has not seen the message.
    private Return how() {
        return failing ? Return.UNKNOWN : HOW.get(random.nextInt(HOW.size()));
    }

    private void attachOrDetach() {
        if (clients.size() < 8 && random.nextInt(3) > 0) {
            List<String> names = List.copyOf(subscriptions.keySet());
            MessageFilter filter = random.nextBoolean() ? new EveryThird(random.nextInt(3)) : null;
            clients.add(client(names.get(random.nextInt(names.size())), filter));
        } else if (!clients.isEmpty()) {
            SimulatedClient client = clients.remove(random.nextInt(clients.size()));
            if (!failing && random.nextBoolean()) {
                client.detach(random);
                departed.add(client);
                return;
            }
            Return how = how();
            client.end();
            client.ids.forEach(id -> oracle.onReturned(client.subscription, id, how));
            client.ids.clear();
            shard.detach(client.consumer, how);
        }
    }

    /// Puts messages and acknowledgements into a transaction.
    void fill(StoredTransaction transaction, ShardOracle.Transaction watched) {
        for (int i = random.nextInt(4); i > 0; i--) {
            Spec spec = spec(random.nextBoolean());
            Target target = target();
            watched.onSending(spec, target.names);
            transaction.send(
                    destination(target),
                    Blocks.bytes(spec),
                    MessageHeaders.of(
                            Blocks.block(spec), target.recipients, Blocks.maxNameId(spec.id())));
        }
        SimulatedClient client = anybody();
        if (client != null) {
            for (long id : client.some(random)) {
                watched.onAcknowledging(client.subscription, id);
                transaction.acknowledge(client.consumer, client.sequence(id));
            }
        }
    }

    /// What clients send again that have no answer.
    private void resend() {
        Map<Spec, Target> again = new LinkedHashMap<>(unconfirmed);
        unconfirmed.clear();
        again.forEach((spec, target) -> {
            Set<String> names = new HashSet<>(target.names);
            names.remove(FLEETING);
            if (names.remove(ANSWERS)) {
                return;
            }
            send(spec, new Target(target.queue, names, target.recipients));
        });
    }

    private void credit() {
        if (!clients.isEmpty()) {
            clients.get(random.nextInt(clients.size()))
                    .credit(1 + random.nextInt(20), 1 + random.nextInt(5000));
        }
    }

    /// Removes a queue that nobody would miss, which is made again at once.
    private void collect() {
        String name = QUEUES.get(random.nextInt(2));
        if (clients.stream().noneMatch(client -> client.subscription.equals(name))
                && shard.collect(shard.queue(name))) {
            collected++;
            shard.queue(name);
            findSubscriptions();
        }
    }

    private void advance() {
        nowMillis += random.nextInt(60);
        shard.onTime(nowMillis);
    }

    private void crash() {
        crashes++;
        incarnation++;
        suspect |= failing;
        failing = false;
        boolean power = random.nextBoolean();
        oracle.onCrash(power, Set.of(BURYING));
        groupOwners.clear();
        oracle.onEnd(ANSWERS);
        oracle.onEnd(FLEETING);
        clients.clear();
        departed.clear();
        tasks.clear();
        reads.clear();
        log = log.crash(power, random, tasks::add);
        shard = open(suspect);
        shard.sync(outcome(() -> suspect = false));
        subscribeFleeting();
        findSubscriptions();
        transactions.recover();
        resend();
    }

    /// Lets everything that has begun end.
    private void settleDown() {
        shard.flush();
        while (!tasks.isEmpty() || !reads.isEmpty() || log.busy()) {
            if (!tasks.isEmpty()) {
                tasks.removeFirst().run();
            } else if (!reads.isEmpty()) {
                reads.removeFirst().run();
            } else {
                log.step();
            }
            shard.flush();
        }
    }

    /// Takes and acknowledges all that is left, then asks the oracle what is missing.
    void drain() {
        if (failing) {
            crash();
        }
        // Consumers without credit, so that there are lanes for what comes back.
        subscriptions.keySet().forEach(name -> client(name, new EveryThird(1)));
        departed.forEach(client -> client.release(List.copyOf(client.ids), Return.UNKNOWN));
        departed.clear();
        for (SimulatedClient client : clients) {
            client.end();
            client.ids.forEach(id -> oracle.onReturned(client.subscription, id, Return.UNKNOWN));
            client.ids.clear();
            shard.detach(client.consumer, Return.UNKNOWN);
        }
        clients.clear();
        settleDown();
        while (!transactions.isEmpty()) {
            transactions.decide();
            settleDown();
        }
        nowMillis += 10_000;
        shard.onTime(nowMillis);
        takeAll(new EveryThird(1));
        int taken = clients.size();
        takeAll(null);
        assertThat(clients.subList(taken, clients.size()))
                .allSatisfy(one ->
                        assertThat(one.priorities)
                                .as("left by a filter in %s", one.subscription)
                                .noneMatch(priority -> priority % 3 == 1));
        oracle.checkNothingLost(nowMillis);
        assertThat(log.tables().size(Table.QUARANTINED)).isZero();
    }

    private void takeAll(@Nullable MessageFilter filter) {
        for (String name : subscriptions.keySet()) {
            SimulatedClient client = client(name, filter);
            clients.add(client);
            client.credit(1_000_000, 1_000_000_000);
        }
        settleDown();
        while (clients.stream().anyMatch(client -> !client.ids.isEmpty())) {
            clients.forEach(this::acknowledgeAll);
            settleDown();
        }
    }

    private void acknowledgeAll(SimulatedClient client) {
        List<Long> taken = List.copyOf(client.ids);
        taken.forEach(id -> oracle.onAcknowledging(client.subscription, id));
        client.ids.clear();
        shard.acknowledge(
                client.consumer,
                client.takeSequences(taken),
                Durability.SYNCED,
                outcome(() ->
                        taken.forEach(id -> oracle.onAcknowledged(client.subscription, id, true))));
    }

    Shard shard() {
        return shard;
    }
}
