package winnow.broker.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import winnow.broker.destination.Topic;
import winnow.broker.subscription.StoredRecipient;
import winnow.broker.subscription.Subscription;
import winnow.wire.FrameSplitter;
import winnow.wire.frame.ControlFrame;

/// Messages whose recipients are found in several turns of the loop.
class LongMatchTest extends RoutingTurns {
    @Test
    void shouldKeepTheOrderOfAProducerAndLetAnotherInBetween() {
        // given
        subscribeMany(near, "");
        subscribe(SHORT, SUBSCRIBERS + 1, near, "");

        // when
        a.publish(1, "/a1");
        a.publish(2, "/a2");
        a.publish(1, "/a3");
        a.send();

        // then
        int begun = near.copies.size();
        assertThat(begun).isBetween(1, SUBSCRIBERS - 1);
        assertThat(a.output.reading).isFalse();
        assertThat(a.confirmed()).isZero();
        assertThat(bodies(near, SUBSCRIBERS + 1)).isEmpty();
        assertThat(sliced()).isEqualTo(1);

        // and another producer need not wait
        b.publish(2, "/b1");
        b.send();
        assertThat(bodies(near, SUBSCRIBERS + 1)).containsExactly("b1");
        assertThat(b.confirmed()).isEqualTo(1);
        assertThat(a.confirmed()).isZero();

        // and the first goes on
        loop.runAllCommands();
        assertAllGot(near, "a1", "a3");
        assertThat(bodies(near, SUBSCRIBERS + 1)).containsExactly("b1", "a2");
        assertThat(a.confirmed()).isEqualTo(3);
        assertThat(a.output.reading).isTrue();
        assertThat(frameMemory.usedBytes()).isZero();
    }

    @Test
    void shouldGiveAMessageOnceToAllOfAnotherLoop() {
        // given
        subscribeMany(far, "n%d IS NULL");

        // when
        a.publish(1, "/a1");
        a.publish(1, "/a2");
        a.send();
        b.publish(1, "/b1");
        b.send();
        loop.runAllCommands();
        loop.other.runAllCommands();

        // then
        assertThat(sliced()).isPositive();
        for (int id = 2; id <= SUBSCRIBERS; id++) {
            assertThat(bodies(far, id))
                    .containsExactlyInAnyOrder("a1", "a2", "b1")
                    .containsSubsequence("a1", "a2");
        }
    }

    @Test
    void shouldReadTheMessageWhereItWasKept() {
        // given selectors that look into a string when others have used the array of the read
        String text = subscribeToTexts();
        String body = "/" + "y".repeat(500);

        // when
        a.publish(1, text, body);
        a.send();
        b.publish(2, "z".repeat(40_000), "/b1");
        b.send();
        loop.runAllCommands();

        // then
        assertAllGot(near, body.substring(1));
        assertThat(sliced()).isPositive();
    }

    private String subscribeToTexts() {
        subscribeMany(near, "s LIKE '_%%x%d,%%'");
        StringBuilder text = new StringBuilder("text");
        IntStream.rangeClosed(1, SUBSCRIBERS).forEach(i -> text.append('x').append(i).append(','));
        return text.toString();
    }

    @Test
    void shouldStopAtALargeMessage() {
        // given
        String body = "/" + "y".repeat(FrameSplitter.SCRATCH_BYTES);
        String text = subscribeToTexts();

        // when
        a.publish(1, text, body);
        a.send();

        // then
        assertThat(a.output.reading).isFalse();
        loop.runAllCommands();
        assertAllGot(near, body.substring(1));
        assertThat(sliced()).isOne();
        assertThat(a.output.reading).isTrue();
    }

    @Test
    void shouldLetALargeMessageWaitForOthers() {
        // given
        String body = "/" + "y".repeat(FrameSplitter.SCRATCH_BYTES);
        String text = subscribeToTexts();
        beginFourShort(text);

        // when
        a.publish(1, text, body);
        a.send();

        // then
        assertThat(bodies(near, SUBSCRIBERS)).doesNotContain(body.substring(1));
        assertThat(a.output.reading).isFalse();
        loop.runAllCommands();
        assertThat(bodies(near, SUBSCRIBERS)).contains(body.substring(1)).hasSize(5);
        assertThat(a.confirmed()).isOne();
    }

    private void beginFourShort(String text) {
        for (int i = 0; i < 4; i++) {
            Client other = new Client();
            other.publish(1, text, "/short");
            other.send();
        }
    }

    @Test
    void shouldStopTheFirstLongMatchOfATopicWhileOthersAreStopped() {
        // given
        subscribeMany(near, "");
        for (int id = 2; id <= SUBSCRIBERS; id++) {
            subscribe(SHORT, id, far, "n" + id + " IS NULL");
        }
        beginFourShort("");

        // when
        a.publish(2, "/a1");
        a.send();

        // then
        assertThat(a.confirmed()).isZero();
        assertThat(sliced()).isEqualTo(5);
        loop.runAllCommands();
        loop.other.runAllCommands();
        assertThat(a.confirmed()).isOne();
        assertAllGot(far, "a1");
    }

    @Test
    void shouldEndWithTheConnectionOfTheProducer() {
        // given
        subscribeMany(near, "");
        for (int i = 0; i < 10; i++) {
            Client leaving = new Client();
            leaving.publish(1, "/lost");
            leaving.publish(1, "/never");
            leaving.send();

            // when
            leaving.connection.onLost("test");
            leaving.splitter.stop();
            loop.runAllCommands();
        }

        // then
        assertThat(near.copies).hasSizeBetween(10, 10 * SUBSCRIBERS - 1);
        assertThat(near.copies).noneMatch(copy -> copy.endsWith("never"));
        assertThat(frameMemory.usedBytes()).isZero();

        // and others are served as before
        near.copies.clear();
        a.publish(1, "/a1");
        a.send();
        loop.runAllCommands();
        assertAllGot(near, "a1");
        assertThat(sliced()).isEqualTo(11);
    }

    @Test
    void shouldSurviveThatADeliveryClosesTheProducer() {
        // given producers whose connections end when the last subscriber gets their message
        subscribeMany(near, "n%d IS NULL");
        for (int i = 0; i < 10; i++) {
            Client leaving = new Client();
            near.copies.clear();
            near.onCopy =
                    _ -> {
                        if (near.copies.size() == SUBSCRIBERS) {
                            leaving.connection.onLost("test");
                            leaving.splitter.stop();
                        }
                    };
            leaving.publish(1, "/lost");
            leaving.send();
            loop.runAllCommands();
        }
        near.onCopy = _ -> {};
        near.copies.clear();

        // when
        List<Client> clients = List.of(a, b, new Client(), new Client());
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).publish(1, "/m" + i);
            clients.get(i).send();
        }
        loop.runAllCommands();

        // then each has scratch space of its own
        for (int id = 1; id <= SUBSCRIBERS; id++) {
            assertThat(bodies(near, id)).containsExactlyInAnyOrder("m0", "m1", "m2", "m3");
        }
    }

    @Test
    void shouldBeginOnlySomeAtTheSameTime() {
        // given
        subscribeMany(near, "");
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            clients.add(new Client());
        }

        // when
        for (int i = 0; i < 10; i++) {
            clients.get(i).publish(1, "/m" + i);
            clients.get(i).publish(1, "/n" + i);
            clients.get(i).send();
        }

        // then
        assertThat(near.copies.stream().map(copy -> copy.substring(copy.lastIndexOf('/'))))
                .containsOnly("/m0", "/m1", "/m2", "/m3");
        loop.runAllCommands();
        for (int id = 2; id <= SUBSCRIBERS; id++) {
            List<String> bodies = bodies(near, id);
            assertThat(bodies).hasSize(20).doesNotHaveDuplicates();
            for (int i = 0; i < 10; i++) {
                assertThat(bodies).containsSubsequence("m" + i, "n" + i);
            }
        }
        assertThat(clients).allMatch(client -> client.confirmed() == 2);

        // and those who waited came before the next ones of the others
        assertThat(bodies(near, SUBSCRIBERS)).containsSubsequence("m9", "n0", "n1", "n2", "n3");
    }

    @Test
    void shouldFinishWhatSubscribersLeave() {
        // given
        subscribeMany(near, "");
        Topic topic = context.destinations().acquireTopic(LONG);
        List<Subscription> leaving = new ArrayList<>();
        for (int i = 0; i < SUBSCRIBERS; i++) {
            Subscription one = new Subscription(10_000 + i, near, false, topic, MUCH);
            add(LONG, one, "s IS NOT NULL AND s <> 'n" + i + "'");
            leaving.add(one);
        }

        // when
        a.publish(1, "/a1");
        a.send();
        leaving.forEach(topic::remove);
        leaving.forEach(Subscription::close);
        loop.runAllCommands();

        // then
        assertAllGot(near, "a1");
        assertThat(a.confirmed()).isEqualTo(1);
    }

    @Test
    void shouldStoreTheMessageWhenAllWhoWantThatAreFound() {
        // given
        subscribeMany(near, "");
        add(LONG, new StoredRecipient(7, "", "stored", ""), "s LIKE '_%c%'");

        // when
        a.publish(1, "abcd", "/a1");
        a.send();
        assertThat(a.confirmed()).isZero();
        loop.runAllCommands();

        // then all have it but the storage, which this test does not start
        assertAllGot(near, "a1");
        assertThat(a.output.reading).isTrue();
        assertThat(a.confirmed()).isZero();
    }

    @Test
    void shouldTellWhatIsWrongWithAMessageThatHasToWait() {
        // given as many that take long as may
        subscribeMany(near, "");
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Client one = new Client();
            one.publish(1, "/m" + i);
            one.send();
            clients.add(one);
        }

        // when
        int limit = context.destinations().propertyLimits().maxStringBytes();
        a.publish(1, new String(new byte[limit + 1], UTF_8), "/a1");
        a.send();

        // then
        assertThat(a.output.frames).hasAtLeastOneElementOfType(ControlFrame.PublishRefused.class);
        assertThat(a.output.reading).isTrue();
        loop.runAllCommands();
        assertThat(near.copies).noneMatch(copy -> copy.endsWith("/a1"));
        assertThat(clients).allMatch(client -> client.confirmed() == 1);
    }
}
