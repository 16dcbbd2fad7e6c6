package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;
import winnow.wire.MessageBlock;
import winnow.wire.Xid;

/// One user takes as much as it can; another one still gets its share.
class SharesTest extends ShardRig {
    private static final long HOUR = 3_600_000;

    private int xids;

    /// An answer to a user.
    private static final class Answer implements Outcome {
        final String owner;
        boolean done;
        String refusal = "";

        Answer(String owner) {
            this.owner = owner;
        }

        @Override
        public String owner() {
            return owner;
        }

        @Override
        public void onDone() {
            done = true;
        }

        @Override
        public void onFailed(LogException failure) {
            throw failure;
        }

        @Override
        public void onRefused(String reason) {
            refusal = reason;
        }
    }

    private static Spec delayed(int number) {
        return new Spec(number, true, 4, 0, HOUR + number * HOUR, 8);
    }

    /// @return why a delayed message was refused, empty if it was not
    private String delay(String user, String queue, int number) {
        MessageBlock block = Blocks.block(delayed(number));
        Answer answer = new Answer(user);
        shard.append(shard.queue(queue), block, 0, Recipients.NONE, "", answer);
        settle();
        return answer.refusal;
    }

    @Test
    void shouldDelayMessagesOfOneUserWhenAnotherHasTooMany() {
        // given
        String refusal = "";
        int number = 0;
        while (refusal.isEmpty()) {
            refusal = delay("ann", "q" + number % 100, number);
            number++;
        }
        assertThat(number).isGreaterThan(500);
        assertThat(refusal).contains("delayed", "a user");

        // then
        assertThat(delay("bob", "other", 1)).isEmpty();
        assertThat(delay("ann", "fresh", 1)).isNotEmpty();
    }

    @Test
    void shouldChargeTheDelaysOfATransactionTogether() {
        StoredTransaction transaction = new StoredTransaction();
        for (int i = 0; i < 100_000; i++) {
            byte[] block = Blocks.bytes(delayed(i));
            MessageHeaders headers =
                    MessageHeaders.of(Blocks.block(delayed(i)), Recipients.NONE, 0);
            transaction.send(shard.queue("q"), block, headers);
        }
        Answer answer = new Answer("ann");

        shard.transactions().commit(transaction, "t", answer);
        settle();

        assertThat(answer.refusal).contains("delayed");
        assertThat(messages("q")).isZero();
    }

    private boolean sendInParts(String user, String queue) {
        Spec spec = Spec.persistent(1);
        Upload upload = Parts.tryBegin(shard, shard.queue(queue), spec, 1, new Answer(user));
        if (upload == null) {
            return false;
        }
        upload.add(new byte[1], Outcome.IGNORED);
        upload.complete(Outcome.IGNORED);
        settle();
        return true;
    }

    @Test
    void shouldTakeMessagesInPartsOfOneUserWhenAnotherHasTooMany() {
        int sent = 0;
        while (sendInParts("ann", "q" + sent % 50)) {
            sent++;
        }
        assertThat(sent).isGreaterThan(100);

        assertThat(sendInParts("bob", "other")).isTrue();
        assertThat(sendInParts("ann", "fresh")).isFalse();
    }

    /// @return false if it was refused
    private boolean keepInParts(String user, StoredDestination topic) {
        Answer answer = new Answer(user);
        Upload upload = Parts.tryBegin(shard, topic, Spec.persistent(1), 1, answer);
        if (upload == null) {
            assertThat(answer.refusal).contains("those of the same user");
            return false;
        }
        upload.keep();
        upload.add(new byte[1], Outcome.IGNORED);
        upload.complete(Outcome.IGNORED);
        settle();
        return true;
    }

    @Test
    void shouldKeepBodiesForLiveSubscriptionsOfOneUserWhenAnotherHasTooMany() {
        // given one user whose bodies wait for live subscriptions of many topics
        int sent = 0;
        while (keepInParts("ann", shard.topic("t" + sent % 50))) {
            sent++;
        }

        // then what they take with all that is known of them is its share
        long limit = config.largeBodyBytes();
        assertThat(sent * (long) (HeapCost.LARGE_BODY + HeapCost.LIVE_BODY)).isLessThan(limit);
        assertThat(keepInParts("bob", shard.topic("other"))).isTrue();
    }

    /// The log is on the heap, of which so many bytes are for messages.
    private void limitMemory(HeapPart heap) {
        config = config.withDeletedTogether(1);
        shard = open();
        shard.memory().limit(() -> log.tables().bytes(), heap);
    }

    /// @return why a message was refused, empty if it was not
    private String keep(String user, StoredDestination destination, Spec spec) {
        Answer answer = new Answer(user);
        shard.append(destination, Blocks.block(spec), 0, Recipients.NONE, "", answer);
        settle();
        return answer.refusal;
    }

    /// Messages go to many destinations in turn until those are refused.
    private void fillMemory(String user, Function<Integer, StoredDestination> destinations) {
        int refused = 0;
        for (int i = 0; refused < 200; i++) {
            Spec spec = i % 2 == 0 ? Spec.persistent(i) : Spec.transientOne(i);
            refused = keep(user, destinations.apply(i % 100), spec).isEmpty() ? 0 : refused + 1;
            assertThat(i).isLessThan(20_000);
        }
    }

    /// One message after the other is sent and consumed.
    private void shouldHaveAStream(String user, String queue) {
        StoredDestination its = shard.queue(queue);
        StoredConsumer consumer = consumer(its.queue());
        shard.onCredit(consumer, 1000, 1_000_000);
        for (int i = 0; i < 500; i++) {
            assertThat(keep(user, its, Spec.persistent(i))).isEmpty();
            assertThat(consumer.unacknowledged()).isOne();
            acknowledge(consumer, its.next() - 1);
        }
        shard.detach(consumer, Return.UNSEEN);
    }

    @Test
    void shouldKeepMessagesOfOneUserWhenAnotherFillsTheMemory() {
        // given
        limitMemory(HeapPart.alone(1 << 20));
        assertThat(keep("bob", shard.queue("old"), Spec.persistent(0))).isEmpty();

        // when
        fillMemory("ann", i -> shard.queue("q" + i));

        // then
        assertThat(keep("ann", shard.queue("fresh"), Spec.persistent(1))).contains("same user");
        assertThat(shard.memory().full("ann")).contains("storage.memory");
        assertThat(shard.memory().full("bob")).isNull();
        acknowledgeAll("old");
        shouldHaveAStream("bob", "old");
        shouldHaveAStream("bob", "new");
    }

    @Test
    void shouldKeepMessagesOfOneUserWhenAnotherFillsSubscriptions() {
        // given
        limitMemory(HeapPart.alone(1 << 20));
        for (int i = 0; i < 100; i++) {
            shard.subscribe(shard.topic("t" + i), named("unread " + i), Outcome.IGNORED);
        }

        // when
        fillMemory("ann", i -> shard.topic("t" + i));

        // then
        for (int i = 0; i < 50; i++) {
            assertThat(keep("bob", shard.queue("waiting"), Spec.persistent(i))).isEmpty();
        }
        shouldHaveAStream("bob", "new");
    }

    @Test
    void shouldKeepMessagesOfNewUsersWhenTheHeapIsUsedUp() {
        // given
        BrokerHeap heap = new BrokerHeap(8 << 20);
        limitMemory(heap.part("storage.memory", 8 << 20));
        HeapPart other = heap.part("other", 8 << 20);
        other.follow(other.availableBytes() - (200 << 10));

        // when
        fillMemory("ann", i -> shard.queue("q" + i));
        long left = heap.leftBytes();
        other.follow(8 << 20);

        // then
        assertThat(left).isGreaterThan(-(64 << 10));
        for (int i = 0; i < 5; i++) {
            shouldHaveAStream("user " + i, "new " + i);
        }
    }

    @Test
    void shouldCountPartsOfMessagesForTheirSender() {
        // given
        limitMemory(HeapPart.alone(1 << 20));
        Spec spec = Spec.persistent(1);
        Upload upload = Parts.tryBegin(shard, shard.queue("q"), spec, 4 << 20, new Answer("ann"));

        // when
        int parts = 0;
        while (shard.memory().full("ann") == null) {
            Objects.requireNonNull(upload).add(new byte[10_000], Outcome.IGNORED);
            settle();
            parts++;
        }

        // then
        assertThat(parts).isBetween(80, 95);
        shouldHaveAStream("bob", "new");
        Objects.requireNonNull(upload).cancel();
        settle();
        assertThat(shard.memory().full("ann")).isNull();
    }

    @Test
    void shouldLeaveADeadLetterToItsSender() {
        // given
        limitMemory(HeapPart.alone(1 << 20));
        StoredDestination queue = shard.queue("failing");
        for (int i = 0; i < 200; i++) {
            assertThat(keep("ann", queue, Spec.persistent(i))).isEmpty();
        }
        MessageOwner ann = Objects.requireNonNull(shard.memory().owner("ann"));
        long before = ann.bytes();

        // when
        for (int attempt = 0; attempt < 2; attempt++) {
            StoredConsumer consumer = consumer(queue.queue());
            settle();
            shard.release(consumer, sequencesOf(consumer), Return.FAILED);
            shard.detach(consumer, Return.UNSEEN);
            settle();
        }

        // then
        assertThat(messages("dead-letters")).isEqualTo(200);
        assertThat(ann.bytes()).isGreaterThan(before);
        acknowledgeAll("dead-letters");
        assertThat(ann.bytes()).isZero();
    }

    @Test
    void shouldLeaveAMessageThatIsForwardedToItsSender() {
        // given messages of which the first has left the window
        config = config.withWindowBytes(2000);
        limitMemory(HeapPart.alone(1 << 20));
        StoredDestination delayed = shard.queue("delayed");
        for (int i = 0; i < 20; i++) {
            assertThat(keep("ann", delayed, Spec.persistent(i))).isEmpty();
        }
        assertThat(delayed.inWindow(0)).isNull();

        // when
        byte[] block = Blocks.bytes(Spec.persistent(1));
        MessageHeaders headers =
                MessageHeaders.of(Blocks.block(Spec.persistent(1)), Recipients.NONE, 0);
        shard.transactions().forward(delayed, 0, shard.queue("q"), block, headers);
        settle();

        // then
        StoredMessage forwarded = Objects.requireNonNull(shard.queue("q").inWindow(0));
        assertThat(forwarded.ownerName()).isEqualTo("ann");
    }

    @Test
    void shouldHaveItsMemoryAgainWhenMessagesAreConsumed() {
        // given
        limitMemory(HeapPart.alone(1 << 20));
        int first = sendUntilRefused();
        acknowledgeAll("q");

        // when
        int second = sendUntilRefused();

        // then
        assertThat(second).isBetween(first - 20, first + 20);
    }

    private int sendUntilRefused() {
        int sent = 0;
        while (keep("ann", shard.queue("q"), Spec.persistent(sent)).isEmpty()) {
            sent++;
        }
        return sent;
    }

    private void acknowledgeAll(String queue) {
        StoredSubscription its = shard.queue(queue).queue();
        StoredConsumer consumer = consumer(its);
        settle();
        while (its.messages() > 0) {
            acknowledge(consumer, sequencesOf(consumer));
            shard.onCredit(consumer, 1000, 1_000_000);
            settle();
        }
        shard.detach(consumer, Return.UNSEEN);
    }

    private static long[] sequencesOf(StoredConsumer consumer) {
        long[] sequences = new long[consumer.unacknowledged()];
        int count = 0;
        for (StoredConsumer.Delivered delivered : consumer.delivered()) {
            sequences[count++] = delivered.sequence();
        }
        return sequences;
    }

    private @Nullable Xid prepare(String user) {
        StoredTransaction transaction = new StoredTransaction();
        byte[] block = Blocks.bytes(Spec.persistent(1));
        transaction.send(
                shard.queue("q"),
                block,
                MessageHeaders.of(Blocks.block(Spec.persistent(1)), Recipients.NONE, 0));
        Xid xid = new Xid(1, new byte[] {(byte) ++xids}, new byte[] {1});
        Answer answer = new Answer(user);
        shard.transactions().prepare(xid, transaction, answer);
        settle();
        assertThat(answer.done).isEqualTo(answer.refusal.isEmpty());
        return answer.done ? xid : null;
    }

    @Test
    void shouldPrepareTransactionsOfOneUserWhenAnotherDecidesNone() {
        // given
        config = config.withPrepared(new PreparedLimits(10, 1 << 20));
        shard = open();
        Xid first = Objects.requireNonNull(prepare("ann"));
        for (int i = 1; i < 9; i++) {
            assertThat(prepare("ann")).isNotNull();
        }

        // then
        assertThat(prepare("ann")).isNull();
        assertThat(prepare("bob")).isNotNull();

        // when
        shard.transactions().rollback(first, Outcome.IGNORED, () -> {});
        settle();

        // then
        assertThat(prepare("ann")).isNull();
        assertThat(prepare("carol")).isNotNull();
        assertThat(prepare("dan")).isNull();
    }

    @Test
    void shouldKnowAfterARestartWhoHasPreparedTransactions() {
        // given
        config = config.withPrepared(new PreparedLimits(10, 1 << 20));
        shard = open();
        for (int i = 0; i < 9; i++) {
            assertThat(prepare("ann")).isNotNull();
        }

        // when
        restart();

        // then
        assertThat(prepare("ann")).isNull();
        assertThat(prepare("bob")).isNotNull();
    }

    @Test
    void shouldRefuseATransactionThatTakesMoreThanIsLeft() {
        config = config.withPrepared(new PreparedLimits(10, 600));
        shard = open();

        assertThat(prepare("ann")).isNull();
    }
}
