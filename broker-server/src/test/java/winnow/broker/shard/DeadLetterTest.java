package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.shard.Backlog.Overflow;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;
import winnow.wire.DestinationKind;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyCursor;
import winnow.wire.PropertyType;
import winnow.wire.WireWriter;

class DeadLetterTest extends ShardRig {
    private final Map<String, Object> dead = new LinkedHashMap<>();

    private static Map<String, Object> properties(byte[] block) {
        MessageBlock parsed = new MessageBlock();
        parsed.parse(block, 0, block.length);
        PropertyCursor cursor = new PropertyCursor();
        parsed.properties(cursor);
        Map<String, Object> found = new LinkedHashMap<>();
        while (cursor.next()) {
            String name = cursor.nameId() == 0 ? cursor.inlineName() : "#" + cursor.nameId();
            found.put(
                    name,
                    switch (cursor.type()) {
                        case PropertyType.STRING -> cursor.string();
                        case PropertyType.TRUE -> true;
                        default -> cursor.integer();
                    });
        }
        return found;
    }

    /// One with all fields and properties.
    private static byte[] full() {
        WireWriter properties = new WireWriter(64);
        properties.writeVarint(300);
        properties.writeByte(PropertyType.STRING);
        properties.writeString("größer");
        properties.writeVarint(0);
        properties.writeString("inline");
        properties.writeByte(PropertyType.TRUE);
        properties.writeVarint(7);
        properties.writeByte(PropertyType.SHORT);
        properties.writeShort(12);
        WireWriter out = new WireWriter(64);
        out.writeByte(
                MessageBlock.PERSISTENT
                        | MessageBlock.HAS_PROPERTIES
                        | (1 << MessageBlock.BODY_TYPE_SHIFT));
        out.writeByte(0xFF);
        out.writeLong(77);
        out.writeVarlong(1L << 40);
        out.writeLong(1234);
        out.writeByte(6);
        out.writeLong(5000);
        out.writeLong(4000);
        out.writeString("correlation");
        out.writeString("type");
        out.writeByte(DestinationKind.QUEUE.number());
        out.writeString("answers");
        out.writeVarint(properties.size());
        out.writeRaw(properties.array(), 0, properties.size());
        out.writeString("the body");
        return out.toByteArray();
    }

    @Test
    void shouldSayWhyAndKeepAllElse() {
        byte[] block = full();
        byte[] written = new DeadLetter("expired", "queue q", "", 3).write(block);

        assertThat(properties(written))
                .containsExactlyEntriesOf(
                        entries(
                                "#300",
                                "größer",
                                "inline",
                                true,
                                "#7",
                                12L,
                                "JMS_WINNOW_DeadReason",
                                "expired",
                                "JMS_WINNOW_DeadFrom",
                                "queue q",
                                "JMS_WINNOW_DeadDeliveries",
                                3L));
        MessageBlock parsed = new MessageBlock();
        parsed.parse(written, 0, written.length);
        assertThat(parsed.messageId()).isEqualTo(MessageBlock.messageId(77, 1L << 40));
        assertThat(parsed.timestamp()).isEqualTo(1234);
        assertThat(parsed.priority()).isEqualTo(6);
        assertThat(parsed.expiration()).isZero();
        assertThat(parsed.deliveryTime()).isZero();
        assertThat(parsed.correlationIdLength()).isEqualTo(11);
        assertThat(parsed.typeLength()).isEqualTo(4);
        assertThat(parsed.has(MessageBlock.HAS_REPLY_TO)).isTrue();
        assertThat(
                        new String(
                                written,
                                parsed.bodyIndex() + 1,
                                parsed.bodyLength() - 1,
                                StandardCharsets.UTF_8))
                .isEqualTo("the body");
        assertThat(DeadLetter.from(written)).isEqualTo("queue q");
    }

    private static Map<String, Object> entries(Object... namesAndValues) {
        Map<String, Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            entries.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return entries;
    }

    @Test
    void shouldReplaceWhatAnEarlierDeathSaid() {
        byte[] first = new DeadLetter("expired", "queue q", "", 3).write(full());

        byte[] second = new DeadLetter("2 failed deliveries", "queue r", "", 2).write(first);

        assertThat(properties(second))
                .hasSize(6)
                .containsEntry("JMS_WINNOW_DeadReason", "2 failed deliveries")
                .containsEntry("JMS_WINNOW_DeadFrom", "queue r");
        assertThat(properties(DeadLetter.remove(second))).hasSize(3);
        byte[] plain = DeadLetter.remove(Blocks.bytes(Spec.persistent(8)));
        assertThat(Blocks.id(plain)).isEqualTo(8);
        assertThat(DeadLetter.from(plain)).isEmpty();
    }

    @Test
    void shouldNotGrowBeyondWhatClientsTake() {
        byte[] block = full();

        byte[] written =
                new DeadLetter("expired", "queue " + "q".repeat(64 * 1024), "", 3).write(block);
        byte[] longest =
                new DeadLetter("expired", "queue " + "q".repeat(63 * 1024), "", 3).write(block);

        assertThat(properties(written)).hasSize(3);
        assertThat(written).hasSizeLessThanOrEqualTo(block.length);
        assertThat(properties(longest)).hasSize(6);
    }

    private void takeDead() {
        StoredConsumer consumer =
                shard.attach(
                        shard.queue("dead-letters").queue(),
                        null,
                        (its, sequence, earlier, block, maxNameId) ->
                                dead.putAll(properties(block)));
        shard.onCredit(consumer, 10, 100_000);
        settle();
    }

    @Test
    void shouldSayOfAMessageThatItFailed() {
        StoredConsumer consumer = consumer(shard.queue("q").queue());
        send(shard.queue("q"), Spec.persistent(1));
        settle();
        for (int i = 0; i < 2; i++) {
            shard.release(consumer, new long[] {0}, Return.FAILED);
            settle();
        }

        takeDead();

        assertThat(dead)
                .containsEntry(DeadLetter.REASON, "2 failed deliveries")
                .containsEntry(DeadLetter.FROM, "queue q")
                .containsEntry(DeadLetter.DELIVERIES, 2L);
    }

    @Test
    void shouldBuryWhatHasExpiredIfThePolicySaysSo() {
        config = config.withPolicies(Policies.of(Policy.DEFAULTS.withBuriesExpired(true)));
        restart();
        send(shard.queue("q"), new Spec(1, true, 4, 2000, 0, 8));
        send(shard.queue("q"), new Spec(2, true, 4, 2000, 1800, 8));
        settle();

        shard.onTime(2100);
        settle();

        assertThat(messages("q")).isZero();
        assertThat(messages("dead-letters")).isEqualTo(2);
        takeDead();
        assertThat(dead)
                .containsEntry(DeadLetter.REASON, "expired")
                .containsEntry(DeadLetter.DELIVERIES, 0L);
    }

    @Test
    void shouldDropWhatExpiresInTheDeadLetterQueue() {
        config = config.withPolicies(Policies.of(Policy.DEFAULTS.withBuriesExpired(true)));
        restart();
        send(shard.queue("dead-letters"), new Spec(1, true, 4, 2000, 0, 8));
        settle();

        shard.onTime(2100);
        settle();

        assertThat(messages("dead-letters")).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCountWhatExpiresWhereverItIs(boolean buries) {
        config = config.withPolicies(Policies.of(Policy.DEFAULTS.withBuriesExpired(buries)));
        restart();
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        send(queue, new Spec(1, true, 4, 2000, 0, 8));
        send(queue, new Spec(2, false, 4, 2000, 0, 8));
        settle();
        shard.detach(consumer, sequence -> true);
        send(queue, new Spec(3, true, 4, 2000, 0, 8));

        shard.onTime(2100);
        send(queue, new Spec(4, true, 4, 2050, 0, 8));
        send(queue, new Spec(5, false, 4, 2050, 0, 8));
        shard.expire(consumer, 0);
        shard.expire(consumer, 1);
        settle();

        assertThat(queue.counts().expired()).isEqualTo(5);
        assertThat(queue.counts().acknowledged()).isZero();
        assertThat(queue.counts().buried()).isEqualTo(buries ? 5 : 0);
        assertThat(messages("q")).isZero();
        assertThat(messages("dead-letters")).isEqualTo(buries ? 5 : 0);
    }

    @Test
    void shouldSayForWhichSubscriptionAMessageFailed() {
        StoredSubscription subscription =
                shard.subscribe(shard.topic("t"), named("orders"), Outcome.IGNORED);
        StoredConsumer consumer = consumer(subscription);
        send(shard.topic("t"), Spec.persistent(1));
        settle();
        for (int i = 0; i < 2; i++) {
            shard.release(consumer, new long[] {0}, Return.FAILED);
            settle();
        }

        takeDead();

        assertThat(dead)
                .containsEntry(DeadLetter.FROM, "topic t")
                .containsEntry(DeadLetter.SUBSCRIPTION, "client.orders");
    }

    private static Policies policies(Backlog ofDeadLetters, Backlog ofOthers) {
        Policy policy = Policy.DEFAULTS.withRedelivery(new Redelivery(1, 0, 1, 0));
        return (kind, name) ->
                policy.withBacklog(name.equals("dead-letters") ? ofDeadLetters : ofOthers);
    }

    /// Other limits for the dead-letter queue; messages fail once.
    private void limitDeadLetters(Overflow overflow, Backlog ofOthers) {
        config = config.withPolicies(policies(new Backlog(2, 0, overflow), ofOthers));
        restart();
    }

    /// Four messages of a queue fail.
    private StoredDestination failed() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        for (int i = 1; i <= 4; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();
        shard.release(consumer, sequences(0, 4), Return.FAILED);
        settle();
        assertThat(received).hasSize(4);
        return queue;
    }

    @ParameterizedTest
    @EnumSource(
            value = Overflow.class,
            names = {"REFUSE", "BURY_OLDEST"})
    void shouldLetDeadLettersWaitWhereTheirQueueIsFull(Overflow overflow) {
        limitDeadLetters(overflow, Backlog.DEFAULTS);
        StoredDestination queue = failed();
        StoredDestination grave = shard.queue("dead-letters");
        assertThat(grave.queue().messages()).isEqualTo(2);
        assertThat(queue.queue().messages()).isEqualTo(2);
        assertThat(queue.queue().waiting().walk(100).next(10)).containsExactly(2, 3);
        assertThat(queue.counts().buried()).isEqualTo(2);
        assertThat(grave.counts().refused()).isEqualTo(2);

        shard.onTime(1000 + Graves.AGAIN_MILLIS);
        settle();
        assertThat(queue.queue().messages()).as("while it is full").isEqualTo(2);
        restart();
        queue = shard.queue("q");
        grave = shard.queue("dead-letters");
        consumer(queue.queue());
        settle();
        List<String> buried = new ArrayList<>();
        StoredConsumer digging =
                shard.attach(
                        grave.queue(),
                        null,
                        (its, sequence, earlier, block, maxNameId) ->
                                buried.add("" + Blocks.id(block)));
        shard.onCredit(digging, 100, 100_000);
        settle();
        acknowledge(digging, 0, 1);
        shard.onTime(shard.nowMillis() + shard.nextMillis());
        settle();

        assertThat(buried).containsExactly("1", "2", "3", "4");
        assertThat(queue.queue().messages()).isZero();
        assertThat(received).as("nobody gets a dead letter again").hasSize(4);
        assertThat(grave.counts().deadLost()).isZero();
    }

    /// Messages of a queue fail.
    private void fail(StoredDestination queue, StoredConsumer consumer, int count) {
        for (int i = 0; i < count; i++) {
            send(queue, Spec.persistent(1));
        }
        settle();
        shard.release(consumer, sequences(queue.next() - count, count), Return.FAILED);
        settle();
    }

    /// So many dead letters may be in their queue from now on. Time stands still.
    private void makeRoom(int deadLetters) {
        shard.policies(policies(new Backlog(deadLetters, 0, Overflow.REFUSE), Backlog.DEFAULTS));
        shard.onTime(shard.nowMillis() + shard.nextMillis());
        settle();
        for (int turn = 0; turn < 40; turn++) {
            shard.onTime(shard.nowMillis());
            settle();
        }
    }

    @Test
    void shouldBuryAllThatWaitsAsSoonAsThereIsRoom() {
        // given
        limitDeadLetters(Overflow.REFUSE, Backlog.DEFAULTS);
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, 100_000, 100_000_000);
        for (int i = 0; i < 5; i++) {
            fail(queue, consumer, 1000);
        }
        assertThat(messages("q")).isEqualTo(4998);

        // when
        makeRoom(3500);

        // then
        assertThat(messages("dead-letters")).isEqualTo(3500);
        assertThat(shard.nextMillis()).as("while it is full").isEqualTo(Graves.AGAIN_MILLIS);

        // when
        makeRoom(10_000);

        // then
        assertThat(messages("dead-letters")).isEqualTo(5000);
        assertThat(messages("q")).isZero();
        assertThat(shard.nextMillis()).isEqualTo(Long.MAX_VALUE);
        assertThat(received).hasSize(5000);
    }

    @Test
    void shouldForgetDeadLettersThatOperatorsPurge() {
        // given
        limitDeadLetters(Overflow.REFUSE, Backlog.DEFAULTS);
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, 100_000, 100_000_000);

        // when
        for (int i = 0; i < 10; i++) {
            fail(queue, consumer, 1000);
            shard.operations()
                    .purge(
                            queue.queue(),
                            Selection.all(),
                            new Operation.Result() {
                                @Override
                                public void onDone(long messages) {}

                                @Override
                                public void onFailed(long messages, LogException cause) {
                                    throw cause;
                                }
                            });
            settle();
            assertThat(messages("q")).isZero();
        }

        // then
        assertThat(shard.settlement().graves().waiting(queue.queue())).isLessThan(3000);
    }

    @Test
    void shouldDropTheOldestDeadLettersWhereThePolicySaysSo() {
        limitDeadLetters(Overflow.DROP_OLDEST, Backlog.DEFAULTS);
        StoredDestination queue = failed();
        StoredDestination grave = shard.queue("dead-letters");

        assertThat(queue.queue().messages()).isZero();
        assertThat(grave.queue().messages()).isEqualTo(2);
        assertThat(grave.counts().deadLost()).isEqualTo(2);
    }

    @Test
    void shouldRefuseMessagesWhoseOldestFindNoGrave() {
        limitDeadLetters(Overflow.REFUSE, new Backlog(3, 0, Overflow.BURY_OLDEST));
        StoredDestination queue = shard.queue("q");
        for (int i = 1; i <= 10; i++) {
            send(queue, Spec.persistent(i));
            settle();
        }

        assertThat(messages("dead-letters")).isEqualTo(2);
        assertThat(queue.queue().messages()).isEqualTo(3);
        assertThat(queue.counts().overflowed()).isEqualTo(2);
        assertThat(queue.counts().refused()).isEqualTo(5);
    }

    /// Checks that what fails for less than a minute does not become a dead letter by default.
    @Test
    void shouldOutlastAMinuteThatFails() {
        // given
        config = config.withPolicies(Policies.of(Policy.DEFAULTS));
        restart();
        StoredConsumer consumer = consumer(shard.queue("q").queue());
        send(shard.queue("q"), Spec.persistent(1));
        send(shard.queue("q"), Spec.persistent(2));
        settle();
        assertThat(received).hasSize(2);

        // when
        while (messages("dead-letters") == 0) {
            int before = received.size();
            shard.release(consumer, new long[] {0, 1}, Return.FAILED);
            settle();
            while (received.size() == before && messages("dead-letters") == 0) {
                shard.onTime(shard.nowMillis() + shard.nextMillis());
                settle();
            }
        }

        // then
        assertThat(received).hasSize(20);
        assertThat(shard.nowMillis() - 1000).isBetween(60_000L, 70_000L);
        assertThat(messages("dead-letters")).isEqualTo(2);
    }

    @Test
    void shouldWaitLongerAfterEachFailedAttempt() {
        Redelivery redelivery = new Redelivery(0, 100, 2, 500);
        config = config.withPolicies(Policies.of(Policy.DEFAULTS.withRedelivery(redelivery)));
        restart();
        StoredConsumer consumer = consumer(shard.queue("q").queue());
        send(shard.queue("q"), Spec.persistent(1));
        settle();
        shard.release(consumer, new long[] {0}, Return.FAILED);
        settle();
        assertThat(received).as("after the first failed attempt").hasSize(2);
        long now = 1000;
        int deliveries = 2;
        for (long delay : new long[] {100, 200, 400, 500, 500}) {
            shard.release(consumer, new long[] {0}, Return.FAILED);
            shard.onTime(now + delay - 1);
            settle();
            assertThat(received).hasSize(deliveries);
            // A tick of the timetable later.
            now += delay + 16;
            shard.onTime(now);
            settle();
            assertThat(received).hasSize(++deliveries);
        }
    }
}
