package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import winnow.store.LogException;
import winnow.wire.MessageBlock;

class GroupsTest extends GroupRig {
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
    void shouldGiveAGroupToAnotherWhenItsConsumerWantsNothing() {
        StoredConsumer idle = consumer(first, 1);
        send("a", 1);
        send("a", 2);
        settle();
        consumer(second, 100);
        settle();
        assertThat(second).as("while the owner has one of it").isEmpty();

        shard.release(idle, new long[] {0}, Return.UNSEEN);
        shard.onCreditEnded(idle);
        settle();

        assertThat(second).containsExactly("a1", "a2");
    }

    @Test
    void shouldAskOthersThoughWhatWaitedForAConsumerAloneIsGone() {
        // given a message of a group that waits for its consumer and is purged
        boolean[] asked = {false};
        StoredConsumer waiting = consumer(first, 1);
        send("a", 1);
        send("a", 2);
        settle();
        StoredConsumer other =
                shard.attach(
                        shard.queue("q").queue(),
                        null,
                        new StoredConsumer.Receiver() {
                            @Override
                            public void onMessage(
                                    StoredConsumer its,
                                    long sequence,
                                    int earlier,
                                    byte[] block,
                                    int maxNameId) {}

                            @Override
                            public void onRecall() {
                                asked[0] = true;
                            }
                        });
        shard.onCredit(other, 100, 1_000_000);
        send("b", 1);
        settle();
        StoredSubscription queue = shard.queue("q").queue();
        queue.take(1);
        shard.settlement().end(queue, 1, 8);
        acknowledge(waiting, 0);
        settle();

        // when
        String refusal = waiting.ask();

        // then
        assertThat(refusal).isNull();
        assertThat(asked[0]).isTrue();
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
        StoredConsumer owner = owner(GroupFinder.key("a"));
        send("a", 1);
        settle();
        assertThat(List.of(first, second))
                .as("before it is acknowledged")
                .containsExactlyInAnyOrder(List.of("a1", "a2", "a3"), List.of());

        acknowledge(owner, 0, 1, 2);
        send("a", 1);
        settle();

        assertThat(List.of(first, second))
                .containsExactlyInAnyOrder(List.of("a1", "a2", "a3"), List.of("a4"));
    }

    @Test
    void shouldGoOnWithAGroupWhoseLastMessageWasNotAcknowledged() {
        consumer(first, 100);
        consumer(second, 100);
        send("a", -1);
        settle();
        StoredConsumer owner = owner(GroupFinder.key("a"));

        shard.release(owner, new long[] {0}, Return.FAILED);
        settle();
        send("a", 1);
        settle();

        assertThat(List.of(first, second))
                .containsExactlyInAnyOrder(List.of("a1", "a1", "a2"), List.of());
    }

    private static Operation.Result purged() {
        return new Operation.Result() {
            @Override
            public void onDone(long messages) {
                assertThat(messages).isOne();
            }

            @Override
            public void onFailed(long messages, LogException cause) {
                throw new AssertionError(cause);
            }
        };
    }

    @Test
    void shouldBringOtherGroupsPastALongOne() {
        consumer(first, 1);
        send("busy", 1);
        settle();
        consumer(second, 100);
        for (int i = 0; i < 3000; i++) {
            send("busy", i);
        }
        for (int group = 0; group < 10; group++) {
            send("g" + group, 1);
        }

        settle();

        assertThat(second).hasSize(10).allMatch(text -> text.startsWith("g"));
        assertThat(shard.queue("q").queue().availableMessages()).isEqualTo(3000);
    }

    @Test
    void shouldGiveWhatWaitsToTheConsumerThatHasAForgottenGroupNow() {
        StoredConsumer busy = consumer(first, 1);
        send("a", 1);
        settle();
        acknowledge(busy, 0);
        consumer(second, 100);
        send("a", 2);
        send("a", 3);
        settle();
        busy.lane().groups.halve();
        send("a", 4);
        settle();
        assertThat(second).containsExactly("a4");

        shard.onCredit(busy, 10, 1_000_000);
        settle();

        assertThat(first).containsExactly("a1");
        assertThat(second).containsExactly("a4", "a2", "a3");
    }

    @Test
    void shouldLetOperatorsHandleWhatWaitsForItsGroup() {
        consumer(first, 1);
        send("a", 1);
        settle();
        consumer(second, 100);
        send("a", 2);
        send("a", 3);
        settle();
        StoredSubscription queue = shard.queue("q").queue();
        assertThat(queue.waiting().walk(100).next(10)).containsExactly(1, 2);
        assertThat(queue.waiting().oldest(10)).containsExactly(1, 2);

        shard.operations().purge(queue, Selection.of(1), purged());
        settle();

        assertThat(queue.availableMessages()).isOne();
        shard.onCredit(owner(GroupFinder.key("a")), 10, 1_000_000);
        settle();
        assertThat(first).containsExactly("a1", "a3");
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
            groups.onDelivered(group, consumer, total);
            groups.onSettled(group, true, total);
        }

        assertThat(groups.owner(-1)).isSameAs(consumer);
    }

    @Test
    void shouldCountAGroupOnceHoweverOftenItsMessagesAreSettled() {
        // given
        StoredConsumer consumer = consumer(first, 2000);
        GroupTotal total = shard.dispatcher().groupTotal();

        // when
        for (int i = 0; i < 1000; i++) {
            send("a", 1);
            settle();
            acknowledge(consumer, i);
        }

        // then
        assertThat(first).hasSize(1000);
        assertThat(consumer.lane().groups.idle()).isOne();
        assertThat(total.count()).isOne();
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
