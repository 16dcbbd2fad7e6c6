package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Backlog.Overflow;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;

/// Many long messages wait that are not in memory.
class LongMessagesTest extends ShardRig {
    private static final int MIB = 1 << 20;
    private static final int LONG = MIB * 3 / 2;
    private static final int MESSAGES = 12;
    private static final long MOST = MessageReader.MAX_BYTES + 1000L;

    private StoredDestination queue = shard.queue("q");

    @BeforeEach
    void shouldKeepMuch() {
        config = config.withWindowBytes(64 * MIB);
        restart();
    }

    private void fill(Spec... specs) {
        for (Spec spec : specs) {
            send(shard.queue("q"), spec);
        }
        settle();
        reopen();
    }

    private void reopen() {
        restart();
        settle();
        queue = shard.queue("q");
        log.forgetReads();
    }

    private static Spec[] longOnes(int expiration, int deliveryTime) {
        return IntStream.range(0, MESSAGES)
                .mapToObj(i -> new Spec(i, true, 4, expiration, deliveryTime, LONG))
                .toArray(Spec[]::new);
    }

    private static List<String> all() {
        return IntStream.range(0, MESSAGES).mapToObj(String::valueOf).toList();
    }

    private List<String> plain() {
        return received.stream().map(one -> one.replace("!", "")).toList();
    }

    @Test
    void shouldDeliverAllByReadingFewAtOnce() {
        fill(longOnes(0, 0));

        shard.onCredit(consumer(queue.queue()), 0, 1 << 30);
        settle();

        assertThat(plain()).isEqualTo(all());
        assertThat(log.mostRead()).isLessThanOrEqualTo(MOST);
        assertThat(queue.counts().damaged()).isZero();
    }

    @Test
    void shouldReadTheMostImportantFirstWhereNotAllFit() {
        Spec[] specs = longOnes(0, 0);
        specs[MESSAGES - 2] = new Spec(100, true, 9, 0, 0, LONG);
        specs[MESSAGES - 1] = new Spec(101, true, 9, 0, 0, 8 * MIB);
        fill(specs);

        shard.onCredit(consumer(queue.queue()), 0, 1 << 30);
        settle();

        assertThat(plain()).startsWith("100", "101", "0", "1").hasSize(MESSAGES);
        assertThat(log.mostRead()).isLessThanOrEqualTo(8 * MIB + 1000);
    }

    @Test
    void shouldReadForFewLanesAtATime() {
        fill(longOnes(0, 0));
        for (int i = 0; i < 20; i++) {
            send(shard.queue("other " + i), new Spec(i, true, 4, 0, 0, LONG));
        }
        settle();
        reopen();
        for (int i = 0; i < 20; i++) {
            consumer(shard.queue("other " + i).queue());
        }
        shard.flush();

        assertThat(tasks).hasSizeLessThanOrEqualTo(4);
        settle();
        assertThat(received).hasSize(20);
    }

    @Test
    void shouldReadHeadsInSeveralReadings() {
        fill(longOnes(0, 0));

        StoredConsumer consumer = consumer(queue.queue(), new EveryThird(1));
        settle();
        assertThat(log.mostRead()).isLessThanOrEqualTo(MOST);
        shard.onCredit(consumer, 0, 1 << 30);
        settle();

        assertThat(plain()).isEqualTo(all());
        assertThat(log.mostRead()).isLessThanOrEqualTo(MOST);
    }

    @Test
    void shouldMoveAllByReadingFewAtOnce() {
        fill(longOnes(0, 0));
        List<Long> moved = new ArrayList<>();

        shard.operations()
                .move(
                        queue.queue(),
                        Selection.all(),
                        shard.queue("r"),
                        new Operation.Result() {
                            @Override
                            public void onDone(long messages) {
                                moved.add(messages);
                            }

                            @Override
                            public void onFailed(long messages, LogException cause) {
                                throw cause;
                            }
                        });
        settle();

        assertThat(moved).containsExactly((long) MESSAGES);
        assertThat(messages("r")).isEqualTo(MESSAGES);
        assertThat(log.mostRead()).isLessThanOrEqualTo(MOST);
    }

    @Test
    void shouldBuryWhatHasExpiredByReadingFewAtOnce() {
        config = config.withPolicies(Policies.of(Policy.DEFAULTS.withBuriesExpired(true)));
        fill(longOnes(5000, 0));

        shard.onTime(6000);
        settle();

        assertThat(messages("q")).isZero();
        assertThat(messages("dead-letters")).isEqualTo(MESSAGES);
        assertThat(log.mostRead()).isLessThanOrEqualTo(MOST);
    }

    @Test
    void shouldBuryTheOldestByReadingFewAtOnce() {
        fill(longOnes(0, 0));
        config =
                config.withPolicies((kind, name) ->
                        name.equals("q")
                                ? Policy.DEFAULTS.withBacklog(
                                        new Backlog(2, 0, Overflow.BURY_OLDEST))
                                : Policy.DEFAULTS);
        reopen();

        send(queue, Spec.persistent(100));
        settle();

        assertThat(messages("q")).isEqualTo(2);
        assertThat(log.mostRead()).isLessThanOrEqualTo(MOST);
    }

    @Test
    void shouldAwakenAllWhoseTimeHasComeByReadingFewAtOnce() {
        fill(longOnes(0, 5000));
        shard.onCredit(consumer(queue.queue()), 0, 1 << 30);

        shard.onTime(6000);
        settle();

        assertThat(plain()).isEqualTo(all());
        assertThat(log.mostRead()).isLessThanOrEqualTo(MOST);
    }
}
