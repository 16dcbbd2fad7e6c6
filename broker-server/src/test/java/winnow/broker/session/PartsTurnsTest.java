package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.subscription.StoredRecipient;
import winnow.wire.frame.PartsRefused;

/// Messages in parts for which it takes several turns of the loop to find who wants them.
class PartsTurnsTest extends RoutingTurns {
    private static final int BODY_BYTES = 10;

    @BeforeEach
    void startStorage() {
        context.storage().start();
    }

    @AfterEach
    void closeStorage() {
        context.storage().close();
    }

    private List<PartsRefused> refusals() {
        return a.output.frames.stream()
                .filter(PartsRefused.class::isInstance)
                .map(PartsRefused.class::cast)
                .toList();
    }

    @Test
    void shouldGiveItInTurnsToLiveSubscriptions() {
        // given
        subscribeMany(near, "");
        a.beginInParts(1, "", BODY_BYTES);
        a.send();
        assertThat(a.output.reading).isFalse();
        loop.runAllCommands();
        assertThat(streams.events).isEmpty();

        // when
        a.part(1, BODY_BYTES);
        a.publish(2, "/later");
        a.send();

        // then
        assertThat(a.output.reading).isFalse();
        b.publish(2, "/b1");
        b.send();
        assertThat(bodies(near, 1)).containsExactly("b1");

        // and
        runUntil(() -> a.confirmed() == 2);
        assertThat(refusals()).isEmpty();
        assertThat(streams.events).hasSize(SUBSCRIBERS);
        assertThat(bodies(near, 1)).containsExactly("b1", "later");
        assertThat(sliced()).isEqualTo(2);
    }

    @Test
    void shouldGiveUpWhenTheClientLeavesWhileItIsGiven() {
        // given
        subscribeMany(near, "");
        Client leaving = new Client();
        leaving.beginInParts(1, "", BODY_BYTES);
        leaving.send();
        loop.runAllCommands();
        leaving.part(1, BODY_BYTES);
        leaving.send();
        assertThat(leaving.output.reading).isFalse();

        // when
        leaving.connection.onLost("test");
        loop.runAllCommands();

        // then
        assertThat(streams.events).hasSizeBetween(1, SUBSCRIBERS - 1);
        a.publish(1, "/a1");
        a.send();
        loop.runAllCommands();
    }

    @Test
    void shouldFindInTurnsThatNobodyWantsIt() {
        // given
        subscribeMany(near, "s LIKE '%%x%d,%%' AND NOT s LIKE '%%nd'");
        StringBuilder text = new StringBuilder();
        IntStream.rangeClosed(1, SUBSCRIBERS).forEach(i -> text.append('x').append(i).append(','));

        // when
        a.beginInParts(1, text + "end", BODY_BYTES);
        a.part(1, BODY_BYTES);
        a.send();

        // then
        assertThat(a.output.reading).isFalse();
        loop.runAllCommands();
        assertThat(a.confirmed()).isOne();
        assertThat(refusals()).isEmpty();
        assertThat(sliced()).isOne();
        assertThat(frameMemory.usedBytes()).isZero();
    }

    @Test
    void shouldStoreItForThoseWhoWantIt() {
        // given
        for (int id = 1; id <= SUBSCRIBERS; id++) {
            add(LONG, new StoredRecipient(id, "", "name", ""), "s LIKE '_%x%'");
        }

        // when
        a.beginInParts(1, "text x", BODY_BYTES);
        a.part(1, BODY_BYTES);
        a.send();

        // then
        assertThat(a.output.reading).isFalse();
        runUntil(() -> a.confirmed() == 1);
        assertThat(refusals()).isEmpty();
        assertThat(sliced()).as("when it begins, and when it has come").isEqualTo(2);
    }

    @Test
    void shouldGiveUpWhenTheClientLeaves() {
        // given
        subscribeMany(near, "");
        for (int i = 0; i < 10; i++) {
            Client leaving = new Client();
            leaving.beginInParts(1, "", BODY_BYTES);
            leaving.send();
            assertThat(leaving.output.reading).isFalse();

            // when
            leaving.connection.onLost("test");
            loop.runAllCommands();
        }

        // then: scratch space is left for others
        a.publish(1, "/a1");
        a.send();
        loop.runAllCommands();
        assertAllGot(near, "a1");
    }

    @Test
    void shouldGiveUpWhenADeliveryClosesTheClient() {
        // given: what was sent before is delivered when the match stops
        subscribeMany(near, "");
        for (int i = 0; i < 10; i++) {
            Client leaving = new Client();
            near.onCopy = copy -> leaving.connection.onLost("test");
            leaving.publish(2, "/before");
            leaving.beginInParts(1, "", BODY_BYTES);

            // when
            leaving.send();
            near.onCopy = copy -> {};
            loop.runAllCommands();
        }

        // then: scratch space is left for others
        near.copies.clear();
        a.publish(1, "/a1");
        a.send();
        loop.runAllCommands();
        assertAllGot(near, "a1");
    }
}
