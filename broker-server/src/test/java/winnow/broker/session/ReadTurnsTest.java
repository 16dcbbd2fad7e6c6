package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Messages that were read together and are routed in several turns of the loop.
class ReadTurnsTest extends RoutingTurns {
    @Test
    void shouldStopBetweenShortMatches() {
        // given
        int few = 100;
        for (int id = 1; id <= few; id++) {
            subscribe(LONG, id, near, "");
        }
        subscribe(SHORT, 1, near, "");
        String[] expected = IntStream.range(0, 100).mapToObj(i -> "a" + i).toArray(String[]::new);

        // when
        for (String body : expected) {
            a.publish(1, "/" + body);
        }
        a.send();

        // then whole messages have been routed, and nothing else is read
        int routed = bodies(near, few).size();
        assertThat(routed).isBetween(1, expected.length - 1);
        assertThat(near.copies).hasSize(routed * few);
        assertThat(a.confirmed()).isEqualTo(routed);
        assertThat(a.output.reading).isFalse();
        assertThat(a.connection.isBusy()).isTrue();
        assertThat(sliced()).isZero();

        // and another producer is served
        b.publish(2, "/b1");
        b.send();
        assertThat(b.confirmed()).isEqualTo(1);

        // and the first goes on
        loop.runAllCommands();
        assertThat(bodies(near, few)).containsExactly(expected);
        assertThat(a.confirmed()).isEqualTo(expected.length);
        assertThat(a.output.reading).isTrue();
        assertThat(frameMemory.usedBytes()).isZero();
    }

    @Test
    void shouldRouteAllThatAProducerSentBeforeItLeft() {
        // given
        for (int id = 1; id <= 100; id++) {
            subscribe(LONG, id, near, "");
        }
        for (int i = 0; i < 100; i++) {
            a.publish(1, "/a" + i);
        }
        a.send();
        assertThat(a.connection.isRouting()).isTrue();

        // when
        a.connection.onInputEnd();
        a.connection.onLost("test");
        a.splitter.stop();

        // then
        assertThat(bodies(near, 100)).hasSize(100).endsWith("a99");
        assertThat(a.connection.isRouting()).isFalse();
        loop.runAllCommands();
        assertThat(bodies(near, 100)).hasSize(100);
        assertThat(frameMemory.usedBytes()).isZero();
    }

    @Test
    void shouldGoOnWhereThereIsNoMemoryForAPause() {
        // given
        for (int id = 1; id <= 100; id++) {
            subscribe(LONG, id, near, "");
        }
        a.output.roomForPause = false;

        // when
        for (int i = 0; i < 100; i++) {
            a.publish(1, "/a" + i);
        }
        a.send();

        // then
        assertThat(bodies(near, 100)).hasSize(100);
        assertThat(a.output.reading).isTrue();
    }

    @Test
    void shouldStopForGoodBetweenShortMatchesWhenTheProducerLeaves() {
        // given
        for (int id = 1; id <= 100; id++) {
            subscribe(LONG, id, near, "");
        }
        for (int i = 0; i < 100; i++) {
            a.publish(1, "/a" + i);
        }
        a.send();
        int routed = near.copies.size();

        // when
        a.connection.onLost("test");
        a.splitter.stop();
        loop.runAllCommands();

        // then
        assertThat(near.copies).hasSize(routed);
        assertThat(a.connection.isBusy()).isFalse();
        assertThat(frameMemory.usedBytes()).isZero();
    }
}
