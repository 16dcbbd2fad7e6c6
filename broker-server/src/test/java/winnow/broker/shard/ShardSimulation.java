package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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

/// Clients, a shard, its log and its readers on one thread, whose steps a seed orders; now and then
/// everything but the log's surviving part is thrown away. A [ShardOracle] watches.
final class ShardSimulation {
    private static final List<String> QUEUES = List.of("orders", "jobs");
    private static final String TOPIC = "news";
    private static final List<Return> HOW = List.of(Return.values());
    private static final List<String> ALL = List.of("dense", "even", "third");
    private static final ShardConfig CONFIG =
            new ShardConfig(3000, 4, 50, ShardOracle.DEAD_LETTERS, 10, 500);

    private final Random random;
    private final ShardOracle oracle = new ShardOracle();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<Runnable> reads = new ArrayList<>();
    private final Map<String, StoredSubscription> subscriptions = new LinkedHashMap<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final Map<Spec, Target> unconfirmed = new LinkedHashMap<>();
    private final Map<String, ShardOracle.Transaction> local = new LinkedHashMap<>();
    private final Map<Xid, Distributed> transactions = new LinkedHashMap<>();
    private SimulatedLog log;
    private Shard shard;
    private long nowMillis = 1_000_000;
    private long lastId;
    private int incarnation;

    /// The log takes no more; only a restart helps.
    private boolean failing;

    int crashes;

    ShardSimulation(long seed) {
        random = new Random(seed);
        log = new SimulatedLog(tasks::add);
        shard = open();
        for (String name : ALL) {
            shard.subscribe(
                    shard.topic(TOPIC),
                    new SubscriptionName(
                            "app", name, false, false, name.equals("dense") ? "" : "x = 1", ""),
                    Outcome.IGNORED);
        }
        QUEUES.forEach(shard::queue);
        shard.queue(ShardOracle.DEAD_LETTERS);
        shard.flush();
        settleDown();
        findSubscriptions();
    }

    private Shard open() {
        return ShardRecovery.open(
                log, CONFIG, tasks::add, reads::add, number -> "name " + number, nowMillis);
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
        return new SimulatedClient(name, shard, stored, filter, oracle, () -> nowMillis);
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
                commit();
                decide();
            }
            case 9 -> credit();
            case 10 -> advance();
            case 11 -> {
                if (random.nextInt(30) == 0) {
                    crash();
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
        Set<String> names = new HashSet<>(Set.of("dense"));
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
    private Outcome outcome(Runnable done) {
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

    private void acknowledge() {
        if (clients.isEmpty()) {
            return;
        }
        SimulatedClient client = clients.get(random.nextInt(clients.size()));
        List<Long> taken = client.some(random);
        boolean sync = random.nextBoolean();
        taken.forEach(id -> oracle.onAcknowledging(client.subscription, id));
        shard.acknowledge(
                client.consumer,
                client.takeSequences(taken),
                sync ? Durability.SYNCED : Durability.WRITTEN,
                outcome(() ->
                        taken.forEach(id -> oracle.onAcknowledged(client.subscription, id, sync))));
    }

    private void giveBack() {
        if (clients.isEmpty()) {
            return;
        }
        SimulatedClient client = clients.get(random.nextInt(clients.size()));
        List<Long> taken = client.some(random);
        Return how = how();
        taken.forEach(id -> oracle.onReturned(client.subscription, id, how));
        shard.release(client.consumer, client.takeSequences(taken), how);
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
            Return how = how();
            client.ids.forEach(id -> oracle.onReturned(client.subscription, id, how));
            shard.detach(client.consumer, how);
        }
    }

    private void commit() {
        StoredTransaction transaction = new StoredTransaction();
        boolean twoPhases = random.nextBoolean();
        ShardOracle.Transaction watched = oracle.begin(twoPhases);
        fill(transaction, watched);
        if (!twoPhases) {
            String id = "transaction " + ++lastId;
            local.put(id, watched);
            shard.transactions()
                    .commit(
                            transaction,
                            id,
                            outcome(() -> {
                                local.remove(id);
                                watched.onCommitted();
                            }));
        } else {
            Distributed distributed = new Distributed(watched);
            transactions.put(Xid.of(Blocks.bytes(spec(false))), distributed);
            Xid xid = List.copyOf(transactions.keySet()).getLast();
            shard.transactions().prepare(xid, transaction, outcome(distributed::onPrepared));
        }
    }

    private void fill(StoredTransaction transaction, ShardOracle.Transaction watched) {
        for (int i = random.nextInt(4); i > 0; i--) {
            Spec spec = spec(random.nextBoolean());
            Target target = target();
            watched.onSending(spec, target.names);
            transaction.send(
                    destination(target),
                    Blocks.bytes(spec),
                    target.recipients,
                    Blocks.maxNameId(spec.id()));
        }
        if (!clients.isEmpty()) {
            SimulatedClient client = clients.get(random.nextInt(clients.size()));
            for (long id : client.some(random)) {
                watched.onAcknowledging(client.subscription, id);
                transaction.acknowledge(client.consumer, client.sequence(id));
            }
        }
    }

    private void decide() {
        for (Map.Entry<Xid, Distributed> one : List.copyOf(transactions.entrySet())) {
            Distributed transaction = one.getValue();
            if (transaction.prepared && !transaction.committing && !transaction.rollingBack) {
                if (random.nextBoolean()) {
                    commit(one.getKey(), transaction);
                } else {
                    rollBack(one.getKey(), transaction);
                }
                return;
            }
        }
    }

    private void commit(Xid xid, Distributed transaction) {
        transaction.committing = true;
        boolean known =
                shard.transactions()
                        .commit(
                                xid,
                                outcome(() -> {
                                    transactions.remove(xid);
                                    transaction.watched.onCommitted();
                                }));
        assertThat(known).isTrue();
    }

    private void rollBack(Xid xid, Distributed transaction) {
        if (!transaction.rollingBack) {
            transaction.rollingBack = true;
            transaction.watched.onRolledBack();
        }
        boolean known = shard.transactions().rollback(xid, outcome(() -> transactions.remove(xid)));
        assertThat(known).isTrue();
    }

    /// What a transaction manager does after a failure, and a client that has no answer.
    private void recover() {
        Set<Xid> there = new HashSet<>(shard.transactions().prepared());
        for (Map.Entry<Xid, Distributed> one : List.copyOf(transactions.entrySet())) {
            Xid xid = one.getKey();
            Distributed transaction = one.getValue();
            if (there.remove(xid)) {
                transaction.prepared = true;
                if (transaction.committing) {
                    commit(xid, transaction);
                } else if (transaction.rollingBack) {
                    rollBack(xid, transaction);
                }
                continue;
            }
            transactions.remove(xid);
            if (transaction.committing) {
                transaction.watched.onCommitted();
            } else if (!transaction.rollingBack) {
                assertThat(transaction.prepared).as("%s is prepared", xid).isFalse();
                transaction.watched.onRolledBack();
            }
        }
        assertThat(there).as("transactions that are decided").isEmpty();
        local.forEach((id, watched) -> {
            if (shard.transactions().committed(id)) {
                watched.onCommitted();
            } else {
                watched.onRolledBack();
            }
        });
        local.clear();
        Map<Spec, Target> again = new LinkedHashMap<>(unconfirmed);
        unconfirmed.clear();
        again.forEach(this::send);
    }

    private void credit() {
        if (!clients.isEmpty()) {
            shard.onCredit(
                    clients.get(random.nextInt(clients.size())).consumer,
                    1 + random.nextInt(20),
                    1 + random.nextInt(5000));
        }
    }

    private void advance() {
        nowMillis += random.nextInt(60);
        shard.onTime(nowMillis);
    }

    private void crash() {
        crashes++;
        incarnation++;
        failing = false;
        boolean power = random.nextBoolean();
        oracle.onCrash(power);
        clients.clear();
        tasks.clear();
        reads.clear();
        log = log.crash(power, random, tasks::add);
        shard = open();
        findSubscriptions();
        recover();
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
        for (SimulatedClient client : clients) {
            client.ids.forEach(id -> oracle.onReturned(client.subscription, id, Return.UNKNOWN));
            shard.detach(client.consumer, Return.UNKNOWN);
        }
        clients.clear();
        settleDown();
        while (!transactions.isEmpty()) {
            decide();
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
            shard.onCredit(client.consumer, 1_000_000, 1_000_000_000);
        }
        settleDown();
        for (SimulatedClient client : clients) {
            List<Long> taken = List.copyOf(client.ids);
            taken.forEach(id -> oracle.onAcknowledging(client.subscription, id));
            shard.acknowledge(
                    client.consumer,
                    client.takeSequences(taken),
                    Durability.SYNCED,
                    outcome(() ->
                            taken.forEach(
                                    id -> oracle.onAcknowledged(client.subscription, id, true))));
            client.ids.clear();
        }
        settleDown();
    }

    Shard shard() {
        return shard;
    }
}
