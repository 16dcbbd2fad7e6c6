package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.store.LogException;
import winnow.wire.Xid;

/// A transaction manager forgets what it is told to be decided.
class UnknownTransactionTest extends ShardRig {
    @Test
    void shouldSayThatATransactionIsUnknownWhenItsDecisionIsDurable() {
        // given
        Xid xid = new Xid(1, new byte[] {1}, new byte[0]);
        shard.transactions().prepare(xid, new StoredTransaction(), Outcome.IGNORED);
        settle();
        List<String> unknown = new ArrayList<>();
        Result decided = new Result();
        shard.transactions().commit(xid, decided, () -> unknown.add("decided"));
        shard.flush();

        // when others ask before the log has it
        shard.transactions().commit(xid, new Result(), () -> unknown.add("committed"));
        shard.transactions().rollback(xid, new Result(), () -> unknown.add("rolled back"));
        shard.transactions()
                .list(null, 10, _ -> true, found -> unknown.add("not in " + found), failure -> {});
        shard.flush();

        // then
        assertThat(unknown).isEmpty();
        settle();
        assertThat(decided.done).isTrue();
        assertThat(unknown).containsExactly("committed", "rolled back", "not in []");
    }

    @Test
    void shouldNotSayThatATransactionIsUnknownWhenTheLogHasFailed() {
        // given
        Xid xid = new Xid(1, new byte[] {1}, new byte[0]);
        shard.transactions().prepare(xid, new StoredTransaction(), Outcome.IGNORED);
        settle();
        shard.transactions().rollback(xid, Outcome.IGNORED, () -> {});
        List<String> unknown = new ArrayList<>();
        Result asked = new Result();
        List<LogException> failures = new ArrayList<>();

        // when
        shard.transactions().rollback(xid, asked, () -> unknown.add("asked"));
        shard.transactions()
                .list(null, 10, _ -> true, found -> unknown.add("listed"), failures::add);
        shard.flush();
        log.fail(LogException.Reason.IO);
        settle();

        // then
        assertThat(unknown).isEmpty();
        assertThat(asked.failure).isNotNull();
        assertThat(failures).hasSize(1);
    }
}
