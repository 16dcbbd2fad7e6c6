package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.Table;

/// Reads from a log that cannot tell some rows.
class DamagedLogTest extends ShardRig {
    private StoredDestination queue = shard.queue("q");

    private void fill(int messages) {
        for (int i = 0; i < messages; i++) {
            send(queue, new Spec(i, true, 4, 0, 0, i % 2 == 0 ? 600 : 8));
        }
        settle();
        restart();
        queue = shard.catalog().findQueue("q").orElseThrow();
    }

    private void damage(Table table, Reason reason, long... sequences) {
        for (long sequence : sequences) {
            log.makeUnreadable(table, Keys.of(queue.id(), sequence), reason);
        }
    }

    private static List<String> allBut(int messages, Integer... without) {
        List<Integer> left = List.of(without);
        return IntStream.range(0, messages)
                .filter(one -> !left.contains(one))
                .mapToObj(String::valueOf)
                .toList();
    }

    private List<String> plain() {
        return received.stream().map(one -> one.replace("!", "")).toList();
    }

    @Test
    void shouldDeliverAllButTheMessagesThatCannotBeRead() {
        fill(40);
        damage(Table.BODIES, Reason.CORRUPT, 10, 11, 12);
        damage(Table.HEADERS, Reason.CORRUPT, 30, 31);

        consumer(queue.queue());
        settle();

        // Message 11 has no row of that table.
        assertThat(plain()).isEqualTo(allBut(40, 10, 12, 30, 31));
        assertThat(queue.counts().damaged()).isEqualTo(4);
        assertThat(log.tables().size(Table.QUARANTINED)).isEqualTo(4);
        assertThat(shard.failure()).isEmpty();
        Result later = send(queue, Spec.persistent(40));
        settle();
        assertThat(later.done).isTrue();
        assertThat(plain()).endsWith("40");
    }

    @Test
    void shouldNotCountTheBytesOfMessagesThatCannotBeRead() {
        fill(40);
        StoredSubscription subscription = queue.queue();
        int longOne = Blocks.bytes(new Spec(0, true, 4, 0, 0, 600)).length;
        int shortOne = Blocks.bytes(Spec.persistent(1)).length;
        assertThat(subscription.bytes()).isEqualTo(20L * (longOne + shortOne));
        // Two whose headers can be read, and two of which nothing can.
        damage(Table.BODIES, Reason.CORRUPT, 10, 12);
        damage(Table.HEADERS, Reason.CORRUPT, 30, 31);

        consumer(subscription);
        settle();

        assertThat(subscription.messages()).isEqualTo(36);
        assertThat(subscription.bytes())
                .isCloseTo(17L * longOne + 19L * shortOne, Percentage.withPercentage(2));
    }

    @Test
    void shouldForgetTheMessagesThatCannotBeRead() {
        fill(40);
        damage(Table.BODIES, Reason.CORRUPT, 20, 22);
        StoredConsumer consumer = consumer(queue.queue());
        settle();

        acknowledge(consumer, sequences(0, 40));

        assertThat(messages("q")).isZero();
        restart();
        assertThat(messages("q")).isZero();
    }

    @Test
    void shouldPutHeadersAsideThatAFilterCannotRead() {
        fill(40);
        damage(Table.HEADERS, Reason.CORRUPT, 3, 6);

        consumer(queue.queue(), new EveryThird(1));
        settle();

        assertThat(plain()).isEqualTo(allBut(40, 3, 6));
        assertThat(queue.counts().damaged()).isEqualTo(2);
        assertThat(shard.failure()).isEmpty();
    }

    @Test
    void shouldShowAllButTheMessagesThatCannotBeRead() {
        fill(20);
        damage(Table.BODIES, Reason.CORRUPT, 4);
        damage(Table.HEADERS, Reason.CORRUPT, 7);
        List<String> shown = new ArrayList<>();
        List<String> ends = new ArrayList<>();

        Browser browser =
                shard.browse(
                        queue.queue(),
                        null,
                        100,
                        new Browser.Receiver() {
                            @Override
                            public void onMessage(
                                    long sequence, int earlier, byte[] block, int maxNameId) {
                                shown.add(String.valueOf(Blocks.id(block)));
                            }

                            @Override
                            public void onMessageInParts(
                                    long sequence, int earlier, byte[] head, int name, int bytes) {
                                throw new AssertionError("a message in parts");
                            }

                            @Override
                            public void onEnd() {
                                ends.add("end");
                            }

                            @Override
                            public void onFailed(LogException cause) {
                                ends.add("failed");
                            }
                        });
        browser.onCredit(100, 1_000_000);
        settle();

        assertThat(shown).isEqualTo(allBut(20, 4, 7));
        assertThat(ends).containsExactly("end");
        assertThat(shard.failure()).isEmpty();
    }

    @Test
    void shouldPurgeMessagesThatCannotBeRead() {
        fill(20);
        damage(Table.BODIES, Reason.CORRUPT, 4);
        List<Long> purged = new ArrayList<>();

        shard.operations()
                .purge(
                        queue.queue(),
                        Selection.all(),
                        new Operation.Result() {
                            @Override
                            public void onDone(long messages) {
                                purged.add(messages);
                            }

                            @Override
                            public void onFailed(long messages, LogException cause) {
                                throw cause;
                            }
                        });
        settle();

        assertThat(purged).containsExactly(19L);
        assertThat(messages("q")).isZero();
    }

    @Test
    void shouldStopWhenTheDiskCannotBeRead() {
        fill(20);
        damage(Table.BODIES, Reason.IO, 4);

        consumer(queue.queue());
        settle();

        assertThat(received).isEmpty();
        assertThat(shard.failure()).map(LogException::reason).contains(Reason.IO);
        assertThat(queue.counts().damaged()).isZero();
        assertThat(messages("q")).isEqualTo(20);
    }
}
