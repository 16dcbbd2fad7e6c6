package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.frame.AskCommit;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Commit;
import winnow.wire.frame.ControlFrame;

/// Publishes and commits that are under way when a broker's lead of its cluster ends: the next
/// leader may have them, so nothing is said of their outcome.
class FencedPublishesTest extends ReturningRig {
    private static final int DEADLINE_SECONDS = 10;
    private static final int ASK = 1000;

    /// Made by [#lead].
    @SuppressWarnings("NullAway.Init")
    private FencedLog log;

    private TestClient client;

    @BeforeEach
    void lead() throws IOException {
        startLeading(completions -> log = new FencedLog(completions));
        client = connect(1, 0).client();
        client.openOnce(DestinationKind.QUEUE, "q", 1);
    }

    private void awaitHeld(int batches) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (log.heldBatches() < batches) {
            assertThat(System.nanoTime()).as("it does not come to the log").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void assertNothingIsSaidButGoodbye() throws IOException {
        // The answer needs no log, and comes after everything that is said before.
        client.send(new AskCommit(ASK, "another", 1));
        assertThat(client.expect(ControlFrame.Refused.class).requestId()).isEqualTo(ASK);
        broker.stepDown("this broker leads its cluster no more");
        assertThat(client.expect(ControlFrame.Goodbye.class).code())
                .isEqualTo(ErrorCode.NOT_ACTIVE.number());
    }

    @Test
    void shouldNotRefusePublishes() throws Exception {
        // given
        publishAgain(client, 1, 0, "before");
        awaitPublished(client, 1);
        log.hold();
        publishAgain(client, 1, 0, "under way");
        awaitHeld(1);

        // when
        log.fence();
        publishAgain(client, 1, 0, "after");

        // then
        assertNothingIsSaidButGoodbye();
    }

    @Test
    void shouldNotRefuseMessagesInParts() throws Exception {
        // given
        client.awaitProducerCredit(1);
        log.hold();
        beginInParts(client, 0);
        endInParts(client);
        awaitHeld(1);

        // when
        log.fence();
        beginInParts(client, 0);
        endInParts(client);

        // then
        assertNothingIsSaidButGoodbye();
    }

    @Test
    void shouldNotRefuseCommits() throws Exception {
        // given
        client.request(id -> new BeginSession(id, 1, true));
        client.sendTransacted(1, DestinationKind.QUEUE, "q", 1, "under way");
        log.hold();
        client.send(new Commit(99, 1, "tx", DeliveryRanges.NONE));
        awaitHeld(1);

        // when
        log.fence();

        // then
        assertNothingIsSaidButGoodbye();
    }
}
