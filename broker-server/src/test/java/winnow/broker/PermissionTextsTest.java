package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.ConsumerRole;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Source;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;

/// Texts that a real broker sends to clients: they tell nothing that the user may not view.
class PermissionTextsTest {
    private static final DestinationKind TOPIC = DestinationKind.TOPIC;

    @TempDir private Path directory = Path.of("");
    private @Nullable PermissionRig opened;

    @AfterEach
    void stop() throws IOException {
        PermissionRig rig = opened;
        if (rig != null) {
            rig.close();
        }
    }

    private static void begin(TestClient client) throws IOException {
        client.request(id -> new BeginSession(id, 1, false));
    }

    /// A consumer of the shared subscription `s`.
    private static Consume consume(int id, int consumer, ConsumerRole role, String topic) {
        Source source = new Source(TOPIC, topic, "", "");
        return new Consume(id, consumer, 1, role, source, "s", false, 10, 1 << 20);
    }

    /// Consumers are named to producers who may view the topic, and to no others.
    @Test
    void shouldNotNameConsumersToThoseWhoMayOnlySend() throws IOException {
        // given
        PermissionRig rig =
                new PermissionRig(
                        directory,
                        """
                          - {who: ann, may: receive, topics: [prices, news]}
                          - {who: ann, may: subscribe, subscriptions: s}
                          - {who: [bob, mon], may: send, topics: [prices, news]}
                          - {who: mon, may: view, topics: prices}
                        """,
                        "destination.slow-consumers",
                        "*=block",
                        "subscription.buffer",
                        "64KiB",
                        "session.producer-window",
                        "16KiB",
                        "queue.max-messages",
                        "1");
        opened = rig;
        TestClient ann = rig.connect("ann");
        ann.subscribeWithoutCredit(1, "prices", "");
        begin(ann);
        ann.request(id -> consume(id, 2, ConsumerRole.SHARED_DURABLE, "news"));
        TestClient bob = rig.connect("bob");
        bob.open(1, "prices");

        // when
        bob.publishUntilBlocked(1, "x".repeat(1000));
        bob.send(new ControlFrame.Release(1));
        bob.open(2, "prices");
        TestClient mon = rig.connect("mon");
        mon.open(1, "prices");

        // then
        assertThat(bob.expect(ControlFrame.Blocked.class).reason())
                .isEqualTo("topic 'prices': its consumers have not taken what was sent to them");
        assertThat(mon.expect(ControlFrame.Blocked.class).reason())
                .contains("subscription 1 of connection", "(subscription.buffer is 65536)");
        assertThat(rig.connect("bob").sendUntilRefused(TOPIC, "news", 1, "m").message())
                .isEqualTo("topic news: a subscription of it is full");
    }

    /// A shared subscription of a name has consumers, for a topic that others need not know.
    @Test
    void shouldNotTellWhatASubscriptionOfOthersIsFor() throws IOException {
        // given
        PermissionRig rig =
                new PermissionRig(
                        directory,
                        """
                          - {who: [ann, bob, mon], may: receive, topics: "*"}
                          - {who: [ann, bob, mon], may: subscribe, subscriptions: s}
                          - {who: [bob, mon], may: view, subscriptions: s}
                          - {who: mon, may: view, topics: prices}
                        """);
        opened = rig;
        TestClient ann = rig.connect("ann");
        begin(ann);
        ann.request(id -> consume(id, 1, ConsumerRole.SHARED, "prices"));

        // then
        assertThat(takenUp(rig.connect("bob")))
                .isEqualTo("subscription 's' has consumers, for another topic or selector");
        assertThat(takenUp(rig.connect("mon")))
                .isEqualTo("subscription 's' has consumers, for topic 'prices' with selector ''");
    }

    private static String takenUp(TestClient client) throws IOException {
        begin(client);
        return client.refused(
                ErrorCode.SUBSCRIPTION_IN_USE, id -> consume(id, 1, ConsumerRole.SHARED, "news"));
    }
}
