package winnow.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;

class ClusterShardLogTest {
    private static final byte[] KEY = {1};

    /// Entries that have no answer until the test gives it.
    private static final class HeldEntries implements ClusterShardLog.Proposer {
        private record Held(ByteString entry, CompletableFuture<RaftClientReply> answer) {}

        private final Queue<Held> held = new ArrayDeque<>();
        private long bytes;
        private long maxBytes;

        @Override
        public synchronized CompletableFuture<RaftClientReply> propose(ByteString entry) {
            Held added = new Held(entry, new CompletableFuture<>());
            held.add(added);
            bytes += entry.size();
            maxBytes = Math.max(maxBytes, bytes);
            return added.answer;
        }

        synchronized long bytes() {
            return bytes;
        }

        synchronized long maxBytes() {
            return maxBytes;
        }

        /// Confirms the entries that are there.
        ///
        /// @return them
        List<ClusterEntry> confirm() {
            List<Held> confirmed;
            synchronized (this) {
                confirmed = List.copyOf(held);
                held.clear();
                bytes = 0;
            }
            confirmed.forEach(one -> one.answer.complete(success()));
            return confirmed.stream().map(one -> ClusterEntry.decode(one.entry)).toList();
        }

        private static RaftClientReply success() {
            return RaftClientReply.newBuilder()
                    .setClientId(ClientId.randomId())
                    .setServerId(RaftPeerId.valueOf("a"))
                    .setGroupId(RaftGroupId.randomId())
                    .setMessage(Message.EMPTY)
                    .setSuccess()
                    .build();
        }
    }

    private static ClusterShardLog log(ClusterShardLog.Proposer proposer) {
        Path nowhere = Path.of("nowhere");
        ReplicatedTables tables =
                new ReplicatedTables(
                        new ClusterNodeOptions(
                                "a",
                                List.of(new ClusterMember("a", "127.0.0.1", 1)),
                                nowhere,
                                nowhere,
                                RocksSettings.within(16 << 20),
                                Duration.ofSeconds(1),
                                false,
                                () -> DiskRoom.AMPLE,
                                null),
                        new ReplicatedTables.Events() {
                            @Override
                            public Message room() {
                                return Message.EMPTY;
                            }

                            @Override
                            public void onLeading() {}

                            @Override
                            public void onNotLeading() {}

                            @Override
                            public void onSnapshotDue(long logBytes) {}

                            @Override
                            public void onFailed(Throwable cause) {}
                        });
        ClusterShardLog log =
                new ClusterShardLog(tables, proposer, Runnable::run, 7, () -> {}, _ -> {});
        log.start();
        return log;
    }

    private static Batch batch(int bytes) {
        Batch batch = new Batch();
        batch.putWhole(Table.BODIES, KEY, new byte[bytes]);
        return batch;
    }

    @Test
    void shouldWaitForAnswersWithinALargeBatch() {
        // given
        HeldEntries entries = new HeldEntries();
        ClusterShardLog log = log(entries);
        int bytes = 64 << 20;

        // when
        CompletableFuture<Void> large = TestNodes.append(log, batch(bytes));
        List<ClusterEntry> confirmed = new ArrayList<>();
        TestNodes.await(() -> {
            if (entries.bytes() > ClusterShardLog.UNANSWERED_BYTES / 2) {
                assertThat(large).isNotDone();
                confirmed.addAll(entries.confirm());
            }
            long found = confirmed.stream().mapToLong(one -> one.content().size()).sum();
            return found + entries.bytes() > bytes;
        });
        confirmed.addAll(entries.confirm());
        large.join();

        // then
        assertThat(entries.maxBytes())
                .isLessThan(ClusterShardLog.UNANSWERED_BYTES + RaftSettings.ENTRY_BYTES);
        assertThat(confirmed).hasSizeGreaterThan(bytes / RaftSettings.ENTRY_BYTES);
        for (int i = 0; i < confirmed.size(); i++) {
            assertThat(confirmed.get(i).number()).isEqualTo(i);
        }
        assertThat(confirmed.getLast().kind()).isEqualTo(ClusterEntry.Kind.CHANGES);
        log.close();
    }

    @Test
    void shouldCloseThoughNothingIsConfirmed() {
        // given
        ClusterShardLog log = log(new HeldEntries());
        CompletableFuture<Void> first = TestNodes.append(log, batch(100));

        // when
        Thread closing = Thread.ofPlatform().daemon().start(log::close);

        // then
        TestNodes.await(() -> !closing.isAlive());
        assertThatThrownBy(first::join)
                .cause()
                .isInstanceOfSatisfying(
                        LogException.class,
                        failure ->
                                assertThat(failure.reason()).isEqualTo(LogException.Reason.CLOSED));
    }
}
