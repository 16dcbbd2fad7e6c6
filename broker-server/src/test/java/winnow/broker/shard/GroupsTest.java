package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.WireWriter;

class GroupsTest extends ShardRig {
    private final List<String> first = new ArrayList<>();
    private final List<String> second = new ArrayList<>();
    private long sent;

    /// @param number of the group's name, 0 for inline
    private static byte[] block(String text, String group, int number, int place) {
        WireWriter properties = new WireWriter(64);
        properties.writeVarint(number);
        if (number == 0) {
            properties.writeString("JMSXGroupID");
        }
        properties.writeByte(PropertyType.STRING);
        properties.writeString(group);
        properties.writeVarint(0);
        properties.writeString("JMSXGroupSeq");
        properties.writeByte(PropertyType.INT);
        properties.writeInt(place);
        WireWriter out = new WireWriter(64);
        out.writeByte(MessageBlock.PERSISTENT | MessageBlock.HAS_PROPERTIES);
        out.writeByte(0);
        out.writeBytes(properties.toByteArray());
        out.writeString(text);
        return out.toByteArray();
    }

    private void send(String group, int place) {
        byte[] block = block(group + ++sent, group, 0, place);
        MessageBlock parsed = new MessageBlock();
        parsed.parse(block, 0, block.length);
        MessageHeaders headers = MessageHeaders.of(parsed, Recipients.NONE, 0);
        shard.append(shard.queue("q"), block, headers, "", Outcome.IGNORED);
    }

    private StoredConsumer consumer(List<String> texts, int credit) {
        StoredConsumer consumer =
                shard.attach(
                        shard.queue("q").queue(),
                        null,
                        (its, sequence, earlier, block, maxNameId) -> {
                            MessageBlock parsed = new MessageBlock();
                            parsed.parse(block, 0, block.length);
                            int start = parsed.bodyIndex() + 1;
                            texts.add(
                                    new String(
                                            block,
                                            start,
                                            parsed.end() - start,
                                            StandardCharsets.UTF_8));
                        });
        shard.onCredit(consumer, credit, 1_000_000);
        return consumer;
    }

    @Test
    void shouldGiveAGroupToOneConsumerInItsOrder() {
        consumer(first, 100);
        consumer(second, 100);
        for (int i = 0; i < 3; i++) {
            send("a", i);
            send("b", i);
        }
        settle();

        assertThat(List.of(first, second))
                .containsExactlyInAnyOrder(List.of("a1", "a3", "a5"), List.of("b2", "b4", "b6"));
    }

    @Test
    void shouldLetOthersGoOnWhereTheConsumerOfAGroupHasNoCredit() {
        StoredConsumer busy = consumer(first, 1);
        send("a", 1);
        settle();
        consumer(second, 100);
        send("a", 2);
        send("a", 3);
        send("b", 1);
        settle();
        assertThat(first).containsExactly("a1");
        assertThat(second).containsExactly("b4");
        assertThat(shard.queue("q").queue().availableMessages()).isEqualTo(2);

        shard.onCredit(busy, 10, 100_000);
        settle();

        assertThat(first).containsExactly("a1", "a2", "a3");
    }

    @Test
    void shouldGiveAGroupToAnotherWhenItsConsumerEnds() {
        StoredConsumer ending = consumer(first, 1);
        send("a", 1);
        send("a", 2);
        settle();
        consumer(second, 100);
        settle();
        assertThat(second).isEmpty();

        shard.detach(ending, Return.UNSEEN);
        settle();

        assertThat(second).containsExactly("a1", "a2");
    }

    @Test
    void shouldKeepTheOrderOfWhatComesBack() {
        StoredConsumer busy = consumer(first, 1);
        send("a", 1);
        send("a", 2);
        settle();
        consumer(second, 100);
        settle();

        shard.release(busy, new long[] {0}, Return.UNKNOWN);
        shard.onCredit(busy, 10, 100_000);
        settle();

        assertThat(first).containsExactly("a1", "a1", "a2");
        assertThat(second).isEmpty();
    }

    @Test
    void shouldAssignAGroupAnewAfterItsLastMessage() {
        consumer(first, 100);
        consumer(second, 100);
        send("a", 1);
        send("a", -1);
        settle();
        send("a", 1);
        settle();

        assertThat(List.of(first, second))
                .containsExactlyInAnyOrder(List.of("a1", "a2"), List.of("a3"));
    }

    @Test
    void shouldReadWhatWaitsForAConsumerAgain() {
        StoredConsumer busy = consumer(first, 1);
        send("a", 1);
        settle();
        consumer(second, 1);
        send("b", 1);
        for (int i = 0; i < 200; i++) {
            send("a", i);
        }
        settle();
        assertThat(shard.window().bytes()).isLessThanOrEqualTo(config.windowBytes());

        shard.onCredit(busy, 1000, 1_000_000);
        settle();

        assertThat(first).hasSize(201).startsWith("a1", "a3", "a4").endsWith("a202");
    }

    @Test
    void shouldForgetGroupsOfTheLaneThatHasTheMost() {
        StoredConsumer consumer = consumer(first, 1);
        Groups few = new Groups();
        Groups many = new Groups();
        GroupTotal total = new GroupTotal(100);
        for (int group = 0; group < 10; group++) {
            few.assign(group, consumer, total);
        }
        for (int group = 0; group < 1000; group++) {
            many.assign(group, consumer, total);

            assertThat(few.count() + many.count()).isLessThanOrEqualTo(100);
        }

        assertThat(few.count()).isEqualTo(10);
        assertThat(many.owner(999)).isSameAs(consumer);
        assertThat(many.owner(900)).isNull();
    }

    @Test
    void shouldEndManyConsumersWhereThereAreManyGroups() {
        StoredConsumer owner = consumer(first, 1);
        StoredSubscription queue = shard.queue("q").queue();
        Groups groups = owner.lane().groups;
        GroupTotal total = new GroupTotal(60_000);
        for (int group = 0; group < 60_000; group++) {
            groups.assign(group, owner, total);
        }
        long begin = System.nanoTime();
        for (int i = 0; i < 8000; i++) {
            shard.detach(consumer(second, 0), Return.UNSEEN);
        }

        assertThat(groups.owner(7)).isSameAs(owner);
        // A walk through all groups for each takes several times as long.
        assertThat(System.nanoTime() - begin).isLessThan(2_000_000_000L);
        consumer(second, 0);
        shard.detach(owner, Return.UNSEEN);
        assertThat(groups.owner(7)).isNull();
        assertThat(queue.consumers()).isOne();
    }

    @Test
    void shouldRememberNoGroupsWithoutConsumers() {
        StoredConsumer owner = consumer(first, 10);
        send("a", 1);
        settle();
        assertThat(owner.lane().groups.count()).isOne();

        shard.detach(owner, Return.UNSEEN);

        assertThat(owner.lane().groups.count()).isZero();
    }

    @Test
    void shouldCountOnlyGroupsThatAreThere() {
        StoredConsumer consumer = consumer(first, 1);
        Groups groups = new Groups();
        GroupTotal total = new GroupTotal(100);
        groups.assign(-1, consumer, total);
        for (int group = 0; group < 1000; group++) {
            groups.assign(group, consumer, total);
            groups.release(group);
        }

        assertThat(groups.owner(-1)).isSameAs(consumer);
    }

    @Test
    void shouldTellIdentifiersOfGroupsApart() {
        Set<Long> keys = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            keys.add(GroupFinder.key("order-" + i));
        }

        assertThat(keys).hasSize(100_000);
    }

    @Test
    void shouldFindAGroupByTheNumberOfItsName() {
        GroupFinder finder =
                new GroupFinder(number -> number == 3 ? "JMSXGroupID" : "name " + number);
        byte[] block = block("text", "orders", 3, -1);
        MessageBlock parsed = new MessageBlock();
        parsed.parse(block, 0, block.length);

        assertThat(
                        finder.find(
                                new StoredMessage(
                                        shard.queue("q"),
                                        1,
                                        block,
                                        MessageHeaders.of(parsed, Recipients.NONE, 3),
                                        null)))
                .isEqualTo(new GroupFinder.Group(GroupFinder.key("orders"), true));
    }
}
