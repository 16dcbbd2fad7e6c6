package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Backlog.Overflow;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;
import winnow.store.Table;

class BacklogTest extends ShardRig {
    private final List<String> refusals = new ArrayList<>();

    private final Outcome watching =
            new Outcome() {
                @Override
                public void onDone() {
                    refusals.add("taken");
                }

                @Override
                public void onFailed(LogException failure) {
                    throw new AssertionError(failure);
                }

                @Override
                public void onRefused(String reason) {
                    refusals.add(reason);
                }
            };

    private void limit(long messages, long bytes, Overflow overflow) {
        Backlog backlog = new Backlog(messages, bytes, overflow);
        config = config.withPolicies(Policies.of(Policy.DEFAULTS.withBacklog(backlog)));
        restart();
    }

    private void sendWatched(Spec spec) {
        MessageHeaders headers = MessageHeaders.of(Blocks.block(spec), Recipients.NONE, 0);
        shard.append(shard.queue("q"), Blocks.bytes(spec), headers, "", watching);
        settle();
    }

    @Test
    void shouldRefuseWhatIsTooMuchUntilThereIsRoom() {
        limit(2, 0, Overflow.REFUSE);
        for (int i = 0; i < 3; i++) {
            sendWatched(Spec.persistent(i));
        }
        StoredConsumer consumer = consumer(shard.queue("q").queue());
        settle();
        acknowledge(consumer, 0);
        sendWatched(Spec.transientOne(3));

        assertThat(refusals)
                .containsExactly(
                        "taken",
                        "taken",
                        "queue q is full: it has 2 messages of 54 bytes,"
                                + " its limits are 2 messages and any number of bytes",
                        "taken");
        assertThat(shard.queue("q").counts().refused()).isEqualTo(1);
        assertThat(received).containsExactly("0", "1", "3");
    }

    @Test
    void shouldRefuseATransactionWhole() {
        limit(0, 20, Overflow.REFUSE);
        sendWatched(Spec.persistent(1));
        StoredTransaction transaction = new StoredTransaction();
        for (String queue : List.of("other", "q")) {
            transaction.send(
                    shard.queue(queue),
                    Blocks.bytes(Spec.persistent(2)),
                    MessageHeaders.of(Blocks.block(Spec.persistent(2)), Recipients.NONE, 0));
        }

        shard.transactions().commit(transaction, "", watching);
        settle();

        assertThat(refusals).hasSize(2).last().asString().contains("20 bytes");
        assertThat(messages("other")).isZero();
    }

    @Test
    void shouldDropTheOldestThatNobodyHasReceived() {
        limit(4, 0, Overflow.DROP_OLDEST);
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer =
                shard.attach(
                        queue.queue(),
                        null,
                        (its, sequence, earlier, block, maxNameId) ->
                                received.add("" + Blocks.id(block)));
        shard.onCredit(consumer, 1, 100_000);
        for (int i = 0; i < 10; i++) {
            send(queue, Spec.persistent(i));
            settle();
        }
        shard.onCredit(consumer, 10, 100_000);
        settle();

        assertThat(received).containsExactly("0", "7", "8", "9");
        assertThat(queue.counts().overflowed()).isEqualTo(6);
        assertThat(queue.queue().messages()).isEqualTo(4);
    }

    @Test
    void shouldDropFromTheLogWhatIsNotInMemory() {
        limit(0, 10_000, Overflow.DROP_OLDEST);
        StoredDestination queue = shard.queue("q");
        for (int i = 0; i < 100; i++) {
            send(queue, new Spec(i, true, 4, 0, 0, 1000));
            if (i % 20 == 0) {
                settle();
            }
        }
        settle();

        assertThat(queue.queue().bytes()).isBetween(8_000L, 10_000L);
        // What was dropped is written a moment later.
        shard.onTime(2000);
        settle();
        restart();
        consumer(shard.queue("q").queue());
        settle();
        assertThat(received).last().isEqualTo("99");
        assertThat(received).hasSizeBetween(8, 10);
    }

    @Test
    void shouldBuryTheOldest() {
        limit(3, 0, Overflow.BURY_OLDEST);
        for (int i = 0; i < 5; i++) {
            send(shard.queue("q"), Spec.persistent(i));
        }
        settle();

        assertThat(messages("q")).isEqualTo(3);
        assertThat(messages("dead-letters")).isEqualTo(2);
        restart();
        consumer(shard.queue("dead-letters").queue());
        settle();
        assertThat(received).containsExactly("0", "1");
    }

    @Test
    void shouldLimitTheDeadLetters() {
        limit(3, 0, Overflow.BURY_OLDEST);
        for (int i = 0; i < 20; i++) {
            send(shard.queue("q"), Spec.persistent(i));
            settle();
        }

        assertThat(messages("q")).isEqualTo(3);
        assertThat(messages("dead-letters")).isEqualTo(3);
    }

    @Test
    void shouldLetOneDeadSubscriptionLoseItsOldestAndNoOther() {
        limit(10, 0, Overflow.DROP_OLDEST);
        StoredDestination topic = shard.topic("t");
        StoredSubscription dead = shard.subscribe(topic, named("dead"), Outcome.IGNORED);
        StoredConsumer alive = consumer(shard.subscribe(topic, named("alive"), Outcome.IGNORED));
        for (int i = 0; i < 50; i++) {
            send(topic, Spec.persistent(i));
            settle();
            acknowledge(alive, i);
        }

        assertThat(received).hasSize(50);
        assertThat(dead.messages()).isEqualTo(10);
        assertThat(log.tables().size(Table.HEADERS)).isLessThanOrEqualTo(20);
    }

    @Test
    void shouldLetNothingLiveLongerThanThePolicySays() {
        config = config.withPolicies(Policies.of(Policy.DEFAULTS.withMaxTimeToLiveMillis(500)));
        restart();
        send(shard.queue("q"), Spec.persistent(1));
        send(shard.queue("q"), new Spec(2, true, 4, 1200, 0, 8));
        send(shard.queue("q"), new Spec(3, true, 4, 9000, 0, 8));
        settle();

        shard.onTime(1250);
        settle();
        assertThat(messages("q")).isEqualTo(2);
        restart();
        shard.onTime(1550);
        settle();

        assertThat(messages("q")).isZero();
    }
}
