package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.DeliveryRanges;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Commit;
import winnow.wire.frame.ControlFrame;

/// Messages that are committed together, and delayed ones, whose recipients are found in several
/// turns of the loop.
class TransactionTurnsTest extends RoutingTurns {
    private static final int COMMIT = 9;

    @BeforeEach
    void startStorage() {
        context.storage().start();
        subscribeMany(near, "");
        subscribe(SHORT, SUBSCRIBERS + 1, near, "");
    }

    @AfterEach
    void closeStorage() {
        context.storage().close();
    }

    private void sendTransaction(String... bodies) {
        a.write(new BeginSession(3, 1, true));
        for (String body : bodies) {
            a.publishTransacted(1, "/" + body);
        }
        a.write(new Commit(COMMIT, 1, "", DeliveryRanges.NONE));
    }

    private boolean committed() {
        return a.output.frames.contains(new ControlFrame.Accepted(COMMIT));
    }

    private boolean memoryIsFree() {
        return context.transactions().usedBytes() == 0;
    }

    @Test
    void shouldMatchATransactionInTurnsBeforeWhatFollows() {
        // when
        sendTransaction("a1", "a2", "a3");
        a.publish(2, "/later");
        a.send();

        // then
        assertThat(near.copies).isEmpty();
        assertThat(a.output.reading).isFalse();
        assertThat(a.connection.isRouting()).isTrue();

        // and another producer need not wait
        b.publish(2, "/b1");
        b.send();
        assertThat(bodies(near, SUBSCRIBERS + 1)).containsExactly("b1");

        // and what follows comes when all messages are matched
        runUntil(() -> a.output.reading);
        assertThat(bodies(near, SUBSCRIBERS + 1)).containsExactly("b1", "later");

        // and the commit is answered when all have its messages
        assertThat(committed()).isFalse();
        assertThat(context.connections().areRouting()).isTrue();
        runUntil(this::committed);
        assertAllGot(near, "a1", "a2", "a3");
        assertThat(context.connections().areRouting()).isFalse();
        assertThat(memoryIsFree()).isTrue();
        assertThat(frameMemory.usedBytes()).isZero();
    }

    @Test
    void shouldDeliverOneTransactionAfterTheOther() {
        // given
        sendTransaction("a1", "a2");
        a.write(new BeginSession(4, 2, true));
        a.send();
        runUntil(() -> !near.copies.isEmpty());
        assertThat(committed()).isFalse();

        // when
        a.publishTransacted(1, "/a3");
        a.write(new Commit(COMMIT + 1, 1, "", DeliveryRanges.NONE));
        a.write(new Commit(COMMIT + 2, 2, "", DeliveryRanges.NONE));
        a.send();

        // then
        runUntil(() -> a.output.frames.contains(new ControlFrame.Accepted(COMMIT + 2)));
        assertAllGot(near, "a1", "a2", "a3");
        assertThat(a.output.frames.stream().filter(ControlFrame.Accepted.class::isInstance))
                .containsSubsequence(
                        new ControlFrame.Accepted(COMMIT),
                        new ControlFrame.Accepted(COMMIT + 1),
                        new ControlFrame.Accepted(COMMIT + 2));
    }

    @Test
    void shouldForgetATransactionWhoseClientLeavesWhileItIsMatched() {
        // given
        sendTransaction("a1", "a2");
        a.send();
        assertThat(a.output.reading).isFalse();

        // when
        a.connection.onLost("the client has gone");

        // then
        runUntil(this::memoryIsFree);
        loop.runAllCommands();
        assertThat(near.copies).isEmpty();
        assertThat(a.connection.isRouting()).isFalse();
    }

    @Test
    void shouldDeliverAllOfACommittedTransactionWhoseClientLeaves() {
        // given
        sendTransaction("a1", "a2");
        a.send();
        runUntil(() -> !near.copies.isEmpty());
        assertThat(near.copies.size()).isLessThan(2 * SUBSCRIBERS);

        // when
        a.connection.onLost("the client has gone");

        // then
        assertThat(context.connections().areRouting()).isTrue();
        runUntil(this::memoryIsFree);
        assertThat(context.connections().areRouting()).isFalse();
        assertAllGot(near, "a1", "a2");
        assertThat(committed()).isFalse();
    }

    @Test
    void shouldCommitATransactionBeforeAMessageThatIsRefused() {
        // given
        sendTransaction("a1", "a2");
        a.write(new ControlFrame.Release(1));
        a.publish(1, "/later");
        a.send();

        // then
        runUntil(() -> near.copies.size() >= 2 * SUBSCRIBERS);
        runUntil(this::memoryIsFree);
        assertAllGot(near, "a1", "a2");
        assertThat(context.connections().areRouting()).isFalse();
    }

    @Test
    void shouldDeliverDelayedMessagesInTurns() {
        // when
        long soon = System.currentTimeMillis() + 50;
        a.publishDelayed(1, "/d1", soon);
        a.publishDelayed(1, "/d2", soon);
        a.send();
        runUntil(() -> !near.copies.isEmpty());

        // then
        assertThat(near.copies.size()).isLessThan(SUBSCRIBERS);
        b.publish(2, "/b1");
        b.send();
        assertThat(bodies(near, SUBSCRIBERS + 1)).containsExactly("b1");

        // and
        runUntil(() -> near.copies.size() >= 2 * SUBSCRIBERS);
        assertAllGot(near, "d1", "d2");
    }
}
