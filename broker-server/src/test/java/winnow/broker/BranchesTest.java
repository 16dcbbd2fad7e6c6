package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.BranchEnd;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Source;
import winnow.wire.Xid;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Decide;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.ListPrepared;
import winnow.wire.frame.Prepared;

/// Distributed transactions of a real broker over the wire: what docs/PROTOCOL.md, 4 promises.
class BranchesTest {
    private static final int MUCH = 1 << 20;
    private static final int PUBLISHING = 9;
    private static final DestinationKind QUEUE = DestinationKind.QUEUE;
    private static final DestinationKind TOPIC = DestinationKind.TOPIC;

    @TempDir private Path data;

    private Broker broker;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        start(Map.of());
    }

    private void start(Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("storage.directory", data.resolve("store").toString());
        broker = new Broker(BrokerConfig.of(all), InetAddress.getLoopbackAddress(), 0, 0);
        client = client();
        begin(client, PUBLISHING, true);
        begin(client, 1, false);
    }

    @AfterEach
    void stop() throws IOException {
        client.disconnect();
        broker.close();
    }

    private void restart() throws IOException {
        stop();
        start();
    }

    private TestClient client() throws IOException {
        TestClient made = new TestClient(broker.address());
        made.greet("");
        return made;
    }

    private static void begin(TestClient client, int session, boolean transacted)
            throws IOException {
        client.request(id -> new BeginSession(id, session, transacted));
    }

    private static void consume(TestClient client, int consumer, int session, String queue)
            throws IOException {
        Source source = new Source(QUEUE, queue, "", "");
        client.request(id ->
                new Consume(
                        id, consumer, session, ConsumerRole.QUEUE, source, "", false, 100, MUCH));
    }

    private static Xid xid(int number) {
        return new Xid(number, new byte[] {1, 2}, new byte[] {3});
    }

    /// Has received deliveries of session 1.
    private static EndBranch end(int id, BranchEnd end, int number, long... deliveries) {
        EndBranch.Part part = new EndBranch.Part(1, DeliveryRanges.of(deliveries));
        return new EndBranch(id, end, xid(number), PUBLISHING, List.of(part));
    }

    private void decide(int number, boolean commit) throws IOException {
        client.request(id -> new Decide(id, xid(number), commit));
    }

    private List<Xid> listed(@Nullable Xid after, boolean more) throws IOException {
        client.send(new ListPrepared(77, after));
        Prepared found = client.await(Prepared.class);
        assertThat(client.await(ControlFrame.Accepted.class).requestId()).isEqualTo(77);
        assertThat(found.requestId()).isEqualTo(77);
        assertThat(found.more()).isEqualTo(more);
        return found.xids();
    }

    private void receiveOne() throws IOException {
        client.send(QUEUE, "in", 1, "a");
        consume(client, 1, 1, "in");
        assertThat(client.await(TestClient.Stored.class).body()).isEqualTo("a");
    }

    /// Sends another message to a queue, and expects it as the next one from there.
    private void expectNothingBefore(String queue, int session) throws IOException {
        TestClient other = client();
        begin(other, session, false);
        consume(other, 1, session, queue);
        other.send(QUEUE, queue, 1, "last");
        assertThat(other.await(TestClient.Stored.class).body()).isEqualTo("last");
        other.close();
    }

    @Test
    void shouldKeepAPreparedTransactionOverARestartAndCommitIt() throws IOException {
        // given
        receiveOne();
        client.sendTransacted(PUBLISHING, QUEUE, "out", 2, "b");
        client.request(id -> end(id, BranchEnd.PREPARE, 7, 1));
        expectNothingBefore("out", 1);

        // when
        restart();
        assertThat(listed(null, false)).containsExactly(xid(7));
        expectNothingBefore("in", 1);
        decide(7, true);

        // then
        TestClient other = client();
        begin(other, 1, false);
        consume(other, 1, 1, "out");
        assertThat(other.await(TestClient.Stored.class).body()).isEqualTo("last");
        assertThat(other.await(TestClient.Stored.class).body()).isEqualTo("b");
        assertThat(listed(null, false)).isEmpty();
        restart();
        assertThat(listed(null, false)).isEmpty();
    }

    @Test
    void shouldGiveBackWhatAPreparedTransactionReceivedWhenItIsRolledBack() throws IOException {
        // given
        receiveOne();
        client.sendTransacted(PUBLISHING, QUEUE, "out", 2, "b");
        client.request(id -> end(id, BranchEnd.PREPARE, 7, 1));
        restart();

        // when
        decide(7, false);

        // then
        consume(client, 1, 1, "in");
        assertThat(client.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(1, 1, 1, "a"));
        expectNothingBefore("out", 2);
    }

    @Test
    void shouldCommitInOnePhase() throws IOException {
        // given
        receiveOne();
        client.subscribe(5, "topic");
        client.sendTransacted(PUBLISHING, QUEUE, "out", 2, "b");
        client.sendTransacted(PUBLISHING, TOPIC, "topic", 3, "c");

        // when
        client.request(id -> end(id, BranchEnd.COMMIT, 7, 1));

        // then
        assertThat(client.await(TestClient.Delivered.class).body()).isEqualTo("c");
        assertThat(listed(null, false)).isEmpty();
        restart();
        expectNothingBefore("in", 1);
        consume(client, 1, 1, "out");
        assertThat(client.await(TestClient.Stored.class).body()).isEqualTo("b");
    }

    @Test
    void shouldRollBackOnlyWhatIsNamed() throws IOException {
        // given
        receiveOne();
        client.send(QUEUE, "in", 1, "kept");
        assertThat(client.await(TestClient.Stored.class).delivery()).isEqualTo(2);
        client.sendTransacted(PUBLISHING, QUEUE, "out", 2, "b");

        // when
        client.request(id -> end(id, BranchEnd.ROLL_BACK, 7, 1));

        // then
        assertThat(client.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(1, 3, 1, "a"));
        client.request(id -> new Acknowledge(id, 1, DeliveryRanges.of(2, 3)));
        client.request(id -> end(id, BranchEnd.COMMIT, 8));
        expectNothingBefore("out", 1);
        restart();
        expectNothingBefore("in", 2);
    }

    @Test
    void shouldGiveCommittedMessagesToTheSubscriptionsThatTopicsHaveThen() throws IOException {
        // given
        client.sendTransacted(PUBLISHING, TOPIC, "topic", 2, "a");
        client.sendTransacted(PUBLISHING, TOPIC, "topic", 2, "b");
        client.request(id -> end(id, BranchEnd.PREPARE, 7));
        restart();
        client.subscribe(5, "topic");
        Source source = new Source(TOPIC, "topic", "", "");
        client.request(
                id -> new Consume(id, 1, 1, ConsumerRole.SHARED, source, "name", false, 100, MUCH));

        // when
        decide(7, true);

        // then
        assertThat(client.take(TestClient.Delivered.class).body()).isEqualTo("a");
        assertThat(client.take(TestClient.Delivered.class).body()).isEqualTo("b");
        assertThat(client.take(TestClient.Stored.class).body()).isEqualTo("a");
        assertThat(client.take(TestClient.Stored.class).body()).isEqualTo("b");
    }

    @Test
    void shouldKnowWhichTransactionsArePrepared() throws IOException {
        // given
        receiveOne();
        client.request(id -> end(id, BranchEnd.PREPARE, 7));

        // when, then
        client.refused(ErrorCode.UNKNOWN_TRANSACTION, id -> new Decide(id, xid(8), true));
        client.refused(ErrorCode.UNKNOWN_TRANSACTION, id -> new Decide(id, xid(8), false));
        client.sendTransacted(PUBLISHING, QUEUE, "out", 2, "b");
        client.refused(ErrorCode.DUPLICATE_TRANSACTION, id -> end(id, BranchEnd.PREPARE, 7, 1));
        client.refused(
                ErrorCode.UNKNOWN_SESSION,
                id -> new EndBranch(id, BranchEnd.PREPARE, xid(8), 55, List.of()));
        decide(7, true);
        client.refused(ErrorCode.UNKNOWN_TRANSACTION, id -> new Decide(id, xid(7), true));

        // then: what was published is forgotten, what was received is not
        client.request(id -> end(id, BranchEnd.ROLL_BACK, 9, 1));
        assertThat(client.await(TestClient.Stored.class).earlier()).isEqualTo(1);
        expectNothingBefore("out", 1);
    }

    @Test
    void shouldRollBackWhatWouldBeTooMuch() throws IOException {
        // given
        broker.close();
        start(Map.of("storage.max-prepared", "2", "storage.prepared", "10KiB"));
        receiveOne();

        // when, then
        client.sendTransacted(PUBLISHING, QUEUE, "out", 2, "b".repeat(11 * 1024));
        client.refused(ErrorCode.ROLLED_BACK, id -> end(id, BranchEnd.PREPARE, 1, 1));
        client.request(id -> end(id, BranchEnd.PREPARE, 1));
        client.request(id -> end(id, BranchEnd.PREPARE, 2));
        client.refused(ErrorCode.ROLLED_BACK, id -> end(id, BranchEnd.PREPARE, 3, 1));
        decide(1, true);
        client.request(id -> end(id, BranchEnd.PREPARE, 3, 1));
    }

    @Test
    void shouldRefuseToPrepareWhatHasARefusedMessage() throws IOException {
        // given
        broker.close();
        start(Map.of("session.max-transaction-bytes", "1KiB"));
        client.sendTransacted(PUBLISHING, QUEUE, "out", 2, "b".repeat(2000));

        // when, then
        client.refused(ErrorCode.ROLLED_BACK, id -> end(id, BranchEnd.PREPARE, 1));
        client.request(id -> end(id, BranchEnd.PREPARE, 1));
    }

    @Test
    void shouldChargeATransactionForTheRecipientsOfItsMessages() throws IOException {
        // given a hundred durable subscriptions with a selector that lets all through
        broker.close();
        start(Map.of("session.max-transaction-bytes", "4KiB"));
        Source source = new Source(DestinationKind.TOPIC, "t", "n IS NULL", "");
        for (int i = 0; i < 100; i++) {
            int number = i;
            client.request(id ->
                    new Consume(
                            id,
                            100 + number,
                            1,
                            ConsumerRole.SHARED_DURABLE,
                            source,
                            "s" + number,
                            false,
                            1,
                            1000));
        }

        // when as many messages as there is room for without their recipients
        for (int i = 0; i < 10; i++) {
            client.sendTransacted(PUBLISHING, DestinationKind.TOPIC, "t", 2, "b");
        }

        // then
        assertThat(
                        client.refused(
                                ErrorCode.ROLLED_BACK,
                                id -> new Commit(id, PUBLISHING, "", DeliveryRanges.NONE)))
                .contains("session.max-transaction-bytes is 4096");
        for (int i = 0; i < 2; i++) {
            client.sendTransacted(PUBLISHING, DestinationKind.TOPIC, "t", 2, "b");
        }
        client.request(id -> new Commit(id, PUBLISHING, "", DeliveryRanges.NONE));
    }

    @Test
    void shouldListManyInPages() throws IOException {
        // given
        List<Xid> all = new ArrayList<>();
        for (int i = 0; i <= Prepared.MAX_COUNT; i++) {
            int number = i;
            all.add(xid(i));
            client.request(id -> end(id, BranchEnd.PREPARE, number));
        }

        // when
        List<Xid> first = listed(null, true);

        // then
        assertThat(first).isEqualTo(all.subList(0, Prepared.MAX_COUNT));
        assertThat(listed(first.getLast(), false)).containsExactly(all.getLast());
    }

    @Test
    void shouldLetOperatorsDecide() throws IOException {
        // given
        receiveOne();
        client.sendTransacted(PUBLISHING, QUEUE, "out", 2, "b");
        client.request(id -> end(id, BranchEnd.PREPARE, 7, 1));
        client.request(id -> end(id, BranchEnd.PREPARE, 8));
        String path = "/api/v1/transactions";

        // when, then
        assertThat(BrokerPages.get(broker, path).body())
                .contains("\"transaction\":\"7:0102:03\",\"sends\":1,\"received\":1,");
        assertThat(BrokerPages.get(broker, path + "?limit=1").headers().firstValue("Link"))
                .hasValueSatisfying(link -> assertThat(link).contains("after=7%3A0102%3A03"));
        assertThat(BrokerPages.get(broker, path + "?after=7:0102:03").body())
                .contains("8:0102:03")
                .doesNotContain("7:0102:03");
        assertThat(BrokerPages.post(broker, path + "/7:0102:03/commit").statusCode())
                .isEqualTo(200);
        assertThat(BrokerPages.post(broker, path + "/7:0102:03/commit").statusCode())
                .isEqualTo(404);
        assertThat(BrokerPages.post(broker, path + "/7/commit").statusCode()).isEqualTo(400);
        assertThat(BrokerPages.get(broker, path + "/8:0102:03/commit").statusCode()).isEqualTo(405);
        assertThat(BrokerPages.post(broker, path + "/8:0102:03/rollback").statusCode())
                .isEqualTo(200);
        consume(client, 2, 1, "out");
        assertThat(client.await(TestClient.Stored.class).body()).isEqualTo("b");
        assertThat(listed(null, false)).isEmpty();
    }

    @Test
    void shouldAnswerOneListAtATime() throws IOException {
        client.hold();
        client.send(new ListPrepared(101, null));
        client.send(new ListPrepared(102, null));
        client.sendHeld();

        ControlFrame.Refused refused = client.await(ControlFrame.Refused.class);
        assertThat(refused.requestId()).isEqualTo(102);
        assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
        assertThat(client.await(Prepared.class).requestId()).isEqualTo(101);
        assertThat(client.await(ControlFrame.Accepted.class).requestId()).isEqualTo(101);
        assertThat(listed(null, false)).isEmpty();
    }
}
