package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Batch;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.wire.Xid;

/// Messages whose bodies are in parts.
class LargeBodiesTest extends ShardRig {
    private final List<Taken> taken = new ArrayList<>();

    /// A message that a consumer has got.
    private record Taken(StoredConsumer consumer, long sequence, int earlier, LargeBody body) {}

    private StoredDestination queue() {
        return shard.queue("q");
    }

    private int rows() {
        return log.tables().size(Table.PARTS);
    }

    private StoredConsumer taker(StoredDestination destination) {
        return taker(destination.queue(), 1_000_000);
    }

    private StoredConsumer taker(StoredSubscription subscription, int creditBytes) {
        StoredConsumer consumer =
                shard.attach(
                        subscription,
                        null,
                        new NotingReceiver() {
                            @Override
                            public void onMessageInParts(
                                    StoredConsumer its,
                                    long sequence,
                                    int earlier,
                                    byte[] head,
                                    int maxNameId,
                                    LargeBody body) {
                                taken.add(new Taken(its, sequence, earlier, body));
                            }
                        });
        shard.onCredit(consumer, 1000, creditBytes);
        return consumer;
    }

    private byte @Nullable [] read(Taken message, int part) {
        byte[][] found = new byte[1][];
        shard.bodies()
                .read(
                        message.consumer,
                        message.sequence,
                        message.body,
                        part,
                        new LargeBodies.PartReceiver() {
                            @Override
                            public void onPart(byte[] bytes) {
                                found[0] = bytes;
                            }

                            @Override
                            public void onGone() {}
                        });
        settle();
        return found[0];
    }

    private void acknowledge(Taken message) {
        shard.acknowledge(
                message.consumer,
                new long[] {message.sequence},
                Durability.SYNCED,
                Outcome.IGNORED);
        settle();
    }

    @Test
    void shouldDeliverWhatWasSentAndDeleteItWhenItIsAcknowledged() {
        // given
        Result sent = Parts.send(shard, queue(), 1, 300, 20);
        settle();

        // when
        taker(queue());
        settle();

        // then
        assertThat(sent.done).isTrue();
        assertThat(taken).hasSize(1);
        Taken message = taken.getFirst();
        assertThat(message.body.bytes()).isEqualTo(320);
        assertThat(read(message, 0)).isEqualTo(Parts.part(1, 0, 300));
        assertThat(read(message, 1)).isEqualTo(Parts.part(1, 1, 20));
        assertThat(queue().queue().bytes()).isGreaterThan(320);
        acknowledge(message);
        assertThat(rows()).isZero();
        assertThat(queue().queue().bytes()).isZero();
    }

    @Test
    void shouldDeliverABodyThatIsLongerThanTheCreditOnce() {
        // given
        Parts.send(shard, queue(), 1, 300, 20);
        Parts.send(shard, queue(), 2, 300, 20);

        // when
        StoredConsumer consumer = taker(queue().queue(), 10);
        settle();

        // then
        assertThat(taken).hasSize(1);
        shard.onCredit(consumer, 1, taken.getFirst().body.bytes() + 100);
        settle();
        assertThat(taken).hasSize(2);
    }

    @Test
    void shouldNotShowAMessageBeforeItsLastPart() {
        // given
        taker(queue());
        Result result = new Result();
        Upload upload = Parts.begin(shard, queue(), Spec.persistent(1), 60, result);
        upload.add(Parts.part(1, 0, 50), Outcome.IGNORED);

        // when
        settle();

        // then
        assertThat(taken).isEmpty();
        assertThat(rows()).isEqualTo(1);
        assertThat(messages("q")).isZero();

        // when
        upload.add(Parts.part(1, 1, 10), Outcome.IGNORED);
        upload.complete(result);
        assertThat(result.done).isFalse();
        settle();

        // then
        assertThat(result.done).isTrue();
        assertThat(taken).hasSize(1);
    }

    @Test
    void shouldLeaveNothingOfAMessageThatIsCancelled() {
        // given
        Upload upload = Parts.begin(shard, queue(), Spec.persistent(1), 60, new Result());
        upload.add(Parts.part(1, 0, 50), Outcome.IGNORED);
        settle();

        // when
        upload.cancel();
        settle();

        // then
        assertThat(rows()).isZero();
        assertThat(messages("q")).isZero();
    }

    @Test
    void shouldDeleteWhatACrashHasCutOffAndKeepTheRest() {
        // given
        Parts.send(shard, queue(), 1, 30, 20);
        settle();
        for (int cut = 0; cut < 3; cut++) {
            Upload upload = Parts.begin(shard, queue(), Spec.persistent(2), 600, new Result());
            upload.add(Parts.part(2, 0, 50), Outcome.IGNORED);
            upload.add(Parts.part(2, 1, 50), Outcome.IGNORED);
        }
        Parts.send(shard, queue(), 3, 30);
        Parts.begin(shard, queue(), Spec.persistent(4), 600, new Result())
                .add(Parts.part(4, 0, 50), Outcome.IGNORED);
        settle();
        assertThat(rows()).isEqualTo(10);

        // when
        restart();
        settle();

        // then
        assertThat(rows()).isEqualTo(3);
        taker(queue());
        settle();
        assertThat(taken).hasSize(2);
        assertThat(read(taken.get(0), 1)).isEqualTo(Parts.part(1, 1, 20));
        assertThat(read(taken.get(1), 0)).isEqualTo(Parts.part(3, 0, 30));
        acknowledge(taken.get(0));
        acknowledge(taken.get(1));
        assertThat(rows()).isZero();
    }

    @Test
    void shouldHaveAMessageWholeOrNotAtAllAfterACrash() {
        for (int seed = 0; seed < 40; seed++) {
            // given
            Result sent = Parts.send(shard, queue(), seed, 30, 20, 10);
            shard.flush();
            if (seed % 2 == 0) {
                log.step();
            }

            // when
            tasks.clear();
            log = log.crash(true, new Random(seed), tasks::add);
            shard = open();
            settle();

            // then
            long messages = messages("q");
            assertThat(rows()).isEqualTo((int) (3 * messages));
            assertThat(sent.done).isFalse();
        }
    }

    @Test
    void shouldNotGiveTheNumberOfABodyAgainAfterARestart() {
        // given
        Parts.send(shard, queue(), 1, 30);
        taker(queue());
        settle();
        acknowledge(taken.getFirst());

        // when
        restart();
        Parts.send(shard, queue(), 2, 30);
        taker(queue());
        settle();

        // then
        assertThat(taken.get(1).body.id()).isGreaterThan(taken.get(0).body.id());
    }

    @Test
    void shouldBringAMessageAgainThatWasReleased() {
        // given
        Parts.send(shard, queue(), 1, 30);
        taker(queue());
        settle();

        // when
        shard.release(
                taken.getFirst().consumer, new long[] {taken.getFirst().sequence}, Return.FAILED);
        settle();

        // then
        assertThat(taken).hasSize(2);
        assertThat(taken.get(1).earlier).isEqualTo(1);
        assertThat(read(taken.get(1), 0)).isEqualTo(Parts.part(1, 0, 30));
    }

    @Test
    void shouldMoveABodyToTheDeadLettersAndBackWithoutCopyingIt() {
        // given
        Parts.send(shard, queue(), 1, 30, 4);
        taker(queue());
        settle();
        long body = taken.getFirst().body.id();
        for (int i = 0; i < 2; i++) {
            Taken last = taken.getLast();
            shard.release(last.consumer, new long[] {last.sequence}, Return.FAILED);
            settle();
        }
        assertThat(messages("q")).isZero();
        assertThat(messages("dead-letters")).isEqualTo(1);
        assertThat(rows()).isEqualTo(2);

        // when
        List<Long> moved = new ArrayList<>();
        shard.operations()
                .retry(
                        shard.queue("dead-letters").queue(),
                        Selection.all(),
                        target -> true,
                        new Operation.Result() {
                            @Override
                            public void onDone(long messages) {
                                moved.add(messages);
                            }

                            @Override
                            public void onFailed(long messages, LogException cause) {}
                        });
        settle();

        // then
        assertThat(moved).containsExactly(1L);
        assertThat(taken.getLast().body.id()).isEqualTo(body);
        assertThat(read(taken.getLast(), 1)).isEqualTo(Parts.part(1, 1, 4));
        acknowledge(taken.getLast());
        assertThat(rows()).isZero();
    }

    @Test
    void shouldDeleteABodyThatHasExpired() {
        // given
        Spec spec = new Spec(1, true, 4, 2000, 0, 8);
        Upload upload = Parts.begin(shard, queue(), spec, 30, new Result());
        upload.add(Parts.part(1, 0, 30), Outcome.IGNORED);
        upload.complete(new Result());
        settle();
        assertThat(rows()).isEqualTo(1);

        // when
        shard.onTime(3000);
        settle();

        // then
        assertThat(rows()).isZero();
        assertThat(messages("q")).isZero();
    }

    @Test
    void shouldKeepABodyUntilTheLastSubscriptionHasIt() {
        // given
        StoredDestination topic = shard.topic("t");
        StoredSubscription first = shard.subscribe(topic, named("a"), Outcome.IGNORED);
        StoredSubscription second = shard.subscribe(topic, named("b"), Outcome.IGNORED);
        Parts.send(shard, topic, 1, 30);
        taker(first, 1000);
        settle();

        // when
        acknowledge(taken.getFirst());

        // then
        assertThat(rows()).isEqualTo(1);

        // when
        shard.unsubscribe(second, Outcome.IGNORED);
        settle();

        // then
        assertThat(rows()).isZero();
    }

    @Test
    void shouldDeleteTheBodiesOfAQueueThatIsRemoved() {
        // given
        Parts.send(shard, queue(), 1, 30);
        Parts.send(shard, shard.temporaryQueue("temporary"), 1, 30);
        settle();

        // when
        shard.remove(queue(), Outcome.IGNORED);
        shard.remove(shard.catalog().findQueue("temporary").orElseThrow(), Outcome.IGNORED);
        settle();

        // then
        assertThat(rows()).isZero();
    }

    @Test
    void shouldPutAMessageAsideWhosePartsAreDamaged() {
        // given
        Parts.send(shard, queue(), 1, 30, 20);
        Parts.send(shard, queue(), 2, 30);
        taker(queue());
        settle();
        Batch damage = new Batch();
        damage.put(Table.PARTS, PartRows.key(taken.getFirst().body.id(), 1), new byte[24]);
        log.damage(damage);

        // when
        byte[] found = read(taken.getFirst(), 1);

        // then
        assertThat(found).isNull();
        assertThat(messages("q")).isEqualTo(1);
        assertThat(log.tables().size(Table.QUARANTINED)).isEqualTo(1);
        assertThat(rows()).isEqualTo(1);
        assertThat(taken.getFirst().consumer.unacknowledged()).isEqualTo(1);
        assertThat(read(taken.get(1), 0)).isEqualTo(Parts.part(2, 0, 30));
    }

    @Test
    void shouldSendAMessageWithItsTransactionOnly() {
        // given
        taker(queue());
        Upload upload = Parts.begin(shard, queue(), Spec.persistent(1), 30, new Result());
        upload.add(Parts.part(1, 0, 30), Outcome.IGNORED);
        settle();
        StoredTransaction transaction = new StoredTransaction();
        upload.complete(transaction);
        settle();
        assertThat(taken).isEmpty();

        // when
        Result result = new Result();
        shard.transactions().commit(transaction, "", result);
        settle();
        upload.cancel();
        settle();

        // then
        assertThat(result.done).isTrue();
        assertThat(taken).hasSize(1);
        assertThat(read(taken.getFirst(), 0)).isEqualTo(Parts.part(1, 0, 30));
    }

    @Test
    void shouldRefuseByTheLengthThatIsAnnounced() {
        // given
        Backlog small = new Backlog(10, 1000, Backlog.Overflow.REFUSE);
        shard.policies(Policies.of(Policy.DEFAULTS.withBacklog(small).withMaxMessageBytes(900)));
        Upload first = Parts.begin(shard, queue(), Spec.persistent(1), 600, new Result());

        // when
        Result second = new Result();
        Result third = new Result();
        Upload refused = Parts.tryBegin(shard, queue(), Spec.persistent(2), 600, second);
        Upload tooLong = Parts.tryBegin(shard, queue(), Spec.persistent(3), 901, third);

        // then
        assertThat(first).isNotNull();
        assertThat(refused).isNull();
        assertThat(second.failure).hasMessageContaining("would bring");
        assertThat(tooLong).isNull();
        assertThat(third.failure)
                .hasMessageMatching(
                        "a message of [0-9]+ bytes, headers and properties included, for queue .*:"
                                + " queue.max-message-bytes is 900");

        // when
        first.cancel();

        // then
        assertThat(Parts.begin(shard, queue(), Spec.persistent(2), 600, second)).isNotNull();
    }

    @Test
    void shouldFindDamagedPartsWhenTheStoreIsVerified() {
        // given
        Parts.send(shard, queue(), 1, 30, 20);
        Parts.send(shard, queue(), 2, 30);
        settle();
        assertThat(StoreCheck.verify(log, (_, _) -> {}).damages()).isEmpty();

        // when
        Batch damage = new Batch();
        damage.delete(Table.PARTS, PartRows.key(1, 1));
        log.damage(damage);

        // then
        StoreReport report = StoreCheck.verify(log, (_, _) -> {});
        assertThat(report.damages()).singleElement().asString().contains("expected 2 parts");
        assertThat(report.destinations().getFirst().bytes()).isGreaterThan(80);
        assertThat(report.tables().get(Table.PARTS)).extracting("rows").isEqualTo(2L);
    }

    @Test
    void shouldRefuseAPreparedTransactionWithParts() {
        // given
        Upload upload = Parts.begin(shard, queue(), Spec.persistent(1), 30, new Result());
        upload.add(Parts.part(1, 0, 30), Outcome.IGNORED);
        StoredTransaction transaction = new StoredTransaction();
        upload.complete(transaction);

        // when
        Result result = new Result();
        shard.transactions().prepare(new Xid(0, new byte[] {1}, new byte[0]), transaction, result);

        // then
        assertThat(result.failure).hasMessageContaining("in parts");
    }
}
