package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import winnow.wire.Xid;

/// The transactions of a [ShardSimulation]: local ones, and those of a transaction manager that
/// decides some time after they were prepared.
final class SimulatedTransactions {
    private final ShardSimulation simulation;
    private final Random random;
    private final ShardOracle oracle;
    private final Map<String, ShardOracle.Transaction> local = new LinkedHashMap<>();
    private final Map<Xid, Distributed> transactions = new LinkedHashMap<>();
    private long lastId;

    SimulatedTransactions(ShardSimulation simulation, Random random, ShardOracle oracle) {
        this.simulation = simulation;
        this.random = random;
        this.oracle = oracle;
    }

    boolean isEmpty() {
        return transactions.isEmpty();
    }

    /// Commits a local transaction, or prepares a distributed one.
    void commit() {
        StoredTransaction transaction = new StoredTransaction();
        boolean twoPhases = random.nextBoolean();
        ShardOracle.Transaction watched = oracle.begin(twoPhases);
        simulation.fill(transaction, watched);
        if (!twoPhases) {
            String id = "transaction " + ++lastId;
            local.put(id, watched);
            simulation
                    .shard()
                    .transactions()
                    .commit(
                            transaction,
                            id,
                            simulation.outcome(() -> {
                                local.remove(id);
                                watched.onCommitted();
                            }));
        } else {
            Distributed distributed = new Distributed(watched);
            Xid xid = new Xid((int) ++lastId, new byte[] {1}, new byte[0]);
            transactions.put(xid, distributed);
            simulation
                    .shard()
                    .transactions()
                    .prepare(xid, transaction, simulation.outcome(distributed::onPrepared));
        }
    }

    /// Decides about one that is prepared.
    void decide() {
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
        simulation
                .shard()
                .transactions()
                .commit(
                        xid,
                        simulation.outcome(() -> {
                            transactions.remove(xid);
                            transaction.watched.onCommitted();
                        }),
                        () -> fail("%s is unknown", xid));
    }

    private void rollBack(Xid xid, Distributed transaction) {
        if (!transaction.rollingBack) {
            transaction.rollingBack = true;
            transaction.watched.onRolledBack();
        }
        simulation
                .shard()
                .transactions()
                .rollback(
                        xid,
                        simulation.outcome(() -> transactions.remove(xid)),
                        () -> fail("%s is unknown", xid));
    }

    /// What a transaction manager does after a failure, and a client that has no answer.
    void recover() {
        Set<Xid> there = new HashSet<>();
        simulation
                .shard()
                .transactions()
                .summaries(null, 1000)
                .forEach(one -> there.add(one.xid()));
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
            if (simulation.shard().transactions().committed(id)) {
                watched.onCommitted();
            } else {
                watched.onRolledBack();
            }
        });
        local.clear();
    }
}
