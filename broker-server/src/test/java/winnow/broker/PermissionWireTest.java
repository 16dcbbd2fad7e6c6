package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.BranchEnd;
import winnow.wire.ClientInstance;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.Source;
import winnow.wire.Xid;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.CreateTemporary;
import winnow.wire.frame.Decide;
import winnow.wire.frame.DeleteSubscription;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.ListPrepared;
import winnow.wire.frame.Prepared;

/// Permissions of a real broker over the wire.
class PermissionWireTest {
    private static final DestinationKind QUEUE = DestinationKind.QUEUE;
    private static final DestinationKind TOPIC = DestinationKind.TOPIC;
    private static final int MUCH = 1 << 20;

    private static final String RULES =
            """
              - {who: [ann, bob], may: [send, receive], queues: "orders-*", topics: "prices"}
              - {who: ann, may: browse, queues: "orders-*"}
              - {who: [ann, bob], may: temporary}
              - {who: ann, may: identify, clients: ["${user}", "${user}-*"]}
              - {who: ann, may: subscribe, subscriptions: "${client}-*"}
              - {who: mon, may: view, queues: "*"}
              - {who: root, may: decide}
            """;

    @TempDir private Path directory = Path.of("");
    private @Nullable PermissionRig opened;

    private PermissionRig rig() throws IOException {
        PermissionRig rig = new PermissionRig(directory, RULES);
        opened = rig;
        return rig;
    }

    @AfterEach
    void stop() throws IOException {
        PermissionRig rig = opened;
        if (rig != null) {
            rig.close();
        }
    }

    private static Consume consume(
            int id, int consumer, ConsumerRole role, DestinationKind kind, String name, String of) {
        return new Consume(
                id, consumer, 1, role, new Source(kind, name, "", ""), of, false, 10, MUCH);
    }

    private static void begin(TestClient client) throws IOException {
        client.request(id -> new BeginSession(id, 1, false));
    }

    @Test
    void shouldAllowWhatRulesAllow() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient ann = rig.connect("ann", "ann-1");
        TestClient bob = rig.connect("bob");
        begin(ann);

        // when
        bob.send(QUEUE, "orders-1", 1, "a");
        ann.request(id -> consume(id, 1, ConsumerRole.QUEUE, QUEUE, "orders-1", ""));

        // then
        assertThat(ann.await(TestClient.Stored.class).body()).isEqualTo("a");
        ann.request(id -> consume(id, 2, ConsumerRole.DURABLE, TOPIC, "prices", "ann-1-x"));
        ann.request(id -> consume(id, 3, ConsumerRole.BROWSER, QUEUE, "orders-1", ""));
    }

    /// Every frame that needs a permission, from a user who has none.
    @Test
    void shouldRefuseEveryFrameThatNeedsAPermission() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient client = rig.connect("nobody");
        long connection = rig.connectionId;
        begin(client);
        String own = "%s%016x/1".formatted(Protocol.TEMPORARY_PREFIX, connection);
        Source topic = new Source(TOPIC, "prices", "", "");

        // then
        assertThat(refused(client, id -> new ControlFrame.Open(id, 1, QUEUE, "orders-1")))
                .isEqualTo(
                        "user 'nobody' may not send to queue 'orders-1': no rule of"
                                + " security.permissions allows 'send'; ask for one");
        assertThat(refused(client, id -> new ControlFrame.Open(id, 1, TOPIC, "prices")))
                .contains("send to topic 'prices'");
        assertThat(refused(client, id -> new ControlFrame.Subscribe(id, 1, topic, false, 1, 1)))
                .contains("receive from topic 'prices'");
        assertThat(refused(client, id -> consume(id, 1, ConsumerRole.QUEUE, QUEUE, "orders-1", "")))
                .contains("receive from queue 'orders-1'");
        assertThat(
                        refused(
                                client,
                                id -> consume(id, 1, ConsumerRole.BROWSER, QUEUE, "orders-1", "")))
                .contains("browse queue 'orders-1'");
        assertThat(refused(client, id -> consume(id, 1, ConsumerRole.SHARED, TOPIC, "prices", "s")))
                .contains("receive from topic 'prices'");
        assertThat(refused(client, id -> new DeleteSubscription(id, "s")))
                .contains("use subscription 's'");
        assertThat(refused(client, id -> new CreateTemporary(id, QUEUE, own)))
                .contains("make temporary destinations");
        assertThat(
                        client.refused(
                                ErrorCode.UNKNOWN_TRANSACTION, id -> new Decide(id, xid(1), true)))
                .endsWith("is not prepared");
        TestClient named = rig.said("nobody", "c");
        ControlFrame.Goodbye goodbye = named.await(ControlFrame.Goodbye.class);
        assertThat(ErrorCode.ofNumber(goodbye.code())).isEqualTo(ErrorCode.NOT_AUTHORIZED);
        assertThat(goodbye.message()).contains("take client identifier 'c'");
        assertThat(
                        BrokerPages.metric(
                                rig.broker,
                                "winnow_authorization_refusals_total{operation=\"send\"}"))
                .hasValue(2);
    }

    private static String refused(TestClient client, IntFunction<ControlFrame> request)
            throws IOException {
        return client.refused(ErrorCode.NOT_AUTHORIZED, request);
    }

    private static Xid xid(int number) {
        return new Xid(number, new byte[] {1, 2}, new byte[] {3});
    }

    /// No pattern is tried with a name that no queue and no subscription can have.
    @Test
    void shouldAllowNothingOnNamesThatAreTooLong() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient ann = rig.connect("ann", "ann");
        begin(ann);
        String name = "orders-" + "x".repeat(500_000);

        // then
        assertThat(refused(ann, id -> new ControlFrame.Open(id, 1, QUEUE, name)))
                .startsWith("user 'ann' may not send to queue 'orders-xxx")
                .hasSizeLessThan(300);
        assertThat(refused(ann, id -> consume(id, 1, ConsumerRole.QUEUE, QUEUE, name, "")))
                .contains("receive from queue");
        assertThat(refused(ann, id -> new DeleteSubscription(id, "ann-" + name)))
                .contains("use subscription 'ann-orders-xxx");
    }

    /// The first exists and the second does not; neither may be known.
    @Test
    void shouldAnswerTheSameWhetherSomethingExists() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient ann = rig.connect("ann", "ann");
        begin(ann);
        ann.send(QUEUE, "orders-1", 1, "a");
        ann.request(id -> consume(id, 2, ConsumerRole.DURABLE, TOPIC, "prices", "ann-x"));
        TestClient nobody = rig.connect("nobody");
        begin(nobody);

        // then
        String there = refused(nobody, id -> new ControlFrame.Open(id, 1, QUEUE, "orders-1"));
        String missing = refused(nobody, id -> new ControlFrame.Open(id, 1, QUEUE, "orders-2"));
        assertThat(there.replace("orders-1", "orders-2")).isEqualTo(missing);
        assertThat(
                        refused(nobody, id -> new DeleteSubscription(id, "ann-x"))
                                .replace("ann-x", "ann-y"))
                .isEqualTo(refused(nobody, id -> new DeleteSubscription(id, "ann-y")));
        // Nothing was made by asking.
        assertThat(rig.get("mon", "/api/v1/queues").body())
                .contains("orders-1")
                .doesNotContain("orders-2");
    }

    @Test
    void shouldLetRepliesThroughAndNobodyElseReceiveThem() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient ann = rig.connect("ann");
        String reply = "%s%016x/r".formatted(Protocol.TEMPORARY_PREFIX, rig.connectionId);
        String none = reply + "x";
        begin(ann);
        ann.request(id -> new CreateTemporary(id, QUEUE, reply));
        ann.request(id -> consume(id, 1, ConsumerRole.QUEUE, QUEUE, reply, ""));
        TestClient bob = rig.connect("bob");
        begin(bob);
        TestClient mon = rig.connect("mon");
        begin(mon);

        // when
        bob.send(QUEUE, reply, 1, "answer");

        // then
        assertThat(ann.await(TestClient.Stored.class).body()).isEqualTo("answer");
        assertThat(refused(mon, id -> new ControlFrame.Open(id, 1, QUEUE, reply)))
                .contains("may not send to queue");
        assertThat(
                        refused(bob, id -> consume(id, 2, ConsumerRole.QUEUE, QUEUE, reply, ""))
                                .replace(reply, none))
                .isEqualTo(refused(bob, id -> consume(id, 2, ConsumerRole.QUEUE, QUEUE, none, "")));
        assertThat(refused(bob, id -> consume(id, 2, ConsumerRole.BROWSER, QUEUE, reply, "")))
                .contains("may not browse queue");
    }

    @Test
    void shouldKeepSubscriptionsToTheirClients() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient ann = rig.connect("ann", "ann-1");
        begin(ann);

        // then
        ann.request(id -> consume(id, 1, ConsumerRole.SHARED_DURABLE, TOPIC, "prices", "ann-1-s"));
        assertThat(
                        refused(
                                ann,
                                id ->
                                        consume(
                                                id,
                                                2,
                                                ConsumerRole.SHARED_DURABLE,
                                                TOPIC,
                                                "prices",
                                                "ann-2-s")))
                .contains("may not use subscription 'ann-2-s'");
        for (String foreign : List.of("bob", "*", "annx")) {
            ControlFrame.Goodbye goodbye =
                    rig.said("ann", foreign).await(ControlFrame.Goodbye.class);
            assertThat(goodbye.message()).contains("take client identifier '" + foreign + "'");
        }
    }

    @Test
    void shouldEndWhatLostItsRightWhenRead() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient sending = rig.connect("bob");
        sending.send(QUEUE, "orders-1", 1, "a");
        TestClient receiving = rig.connect("bob");
        begin(receiving);
        receiving.request(id -> consume(id, 1, ConsumerRole.QUEUE, QUEUE, "orders-2", ""));
        TestClient live = rig.connect("bob");
        live.subscribe(1, "prices");
        TestClient idle = rig.connect("bob");
        TestClient named = rig.connect("ann", "ann-1");

        // when
        rig.reload("  - {who: bob, may: send, queues: other}\n");

        // then
        assertThat(farewell(sending)).endsWith(reason("send to queue 'orders-1'", "send"));
        assertThat(farewell(receiving))
                .endsWith(reason("receive from queue 'orders-2'", "receive"));
        assertThat(farewell(live)).endsWith(reason("receive from topic 'prices'", "receive"));
        assertThat(farewell(named)).contains("take client identifier 'ann-1'");
        idle.request(id -> new ControlFrame.Open(id, 1, QUEUE, "other"));
        refused(idle, id -> new ControlFrame.Open(id, 2, QUEUE, "orders-1"));
    }

    private static String reason(String what, String operation) {
        return "user 'bob' may not %s: no rule of security.permissions allows '%s'; ask for one"
                .formatted(what, operation);
    }

    private static String farewell(TestClient client) throws IOException {
        ControlFrame.Goodbye goodbye = client.await(ControlFrame.Goodbye.class);
        assertThat(ErrorCode.ofNumber(goodbye.code())).isEqualTo(ErrorCode.NOT_AUTHORIZED);
        assertThat(goodbye.message()).startsWith("permissions were read again: ");
        assertThat(client.closedByBroker()).isTrue();
        return goodbye.message();
    }

    @Test
    void shouldChangeNothingWhereTheFileIsWrong() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient bob = rig.connect("bob");
        bob.send(QUEUE, "orders-1", 1, "a");

        // when
        assertThatThrownBy(() -> rig.reload("  - {who: bob, may: sent, queues: other}\n"))
                .hasMessageContaining("security.permissions: ")
                .hasMessageContaining(":3: expected one of send, ")
                .hasMessageContaining("nothing was changed");

        // then
        bob.send(QUEUE, "orders-1", 1, "b");
    }

    /// What a reload takes away is taken from a transaction that is not committed, too.
    @Test
    void shouldRollBackWhatWasSentInATransaction() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient bob = rig.connect("bob");
        bob.request(id -> new BeginSession(id, 1, true));
        bob.sendTransacted(1, QUEUE, "orders-1", 1, "a");

        // when
        rig.reload("  - {who: mon, may: view, queues: '*'}\n");

        // then
        farewell(bob);
        assertThat(rig.get("mon", "/api/v1/queues").body()).doesNotContain("\"messages\":1");
        rig.reload(RULES);
        TestClient again = rig.connect("bob");
        again.request(id -> new BeginSession(id, 1, true));
        again.sendTransacted(1, QUEUE, "orders-1", 1, "b");
        again.request(id -> new Commit(id, 1, "", DeliveryRanges.of()));
        assertThat(rig.get("mon", "/api/v1/queues").body()).contains("\"messages\":1");
    }

    /// A message of an open transaction needs the right to send, and not an open producer.
    @Test
    void shouldRollBackWhatWasSentByAProducerThatIsClosed() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient bob = rig.connect("bob");
        bob.request(id -> new BeginSession(id, 1, true));
        bob.sendTransacted(1, QUEUE, "orders-1", 1, "a");
        bob.send(new ControlFrame.Release(1));
        bob.request(id -> new ControlFrame.Open(id, 2, QUEUE, "orders-2"));

        // when
        rig.reload("  - {who: bob, may: send, queues: orders-2}\n");

        // then
        assertThat(farewell(bob)).endsWith(reason("send to queue 'orders-1'", "send"));
    }

    @Test
    void shouldShowPreparedTransactionsToTheirUsersOnly() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient ann = rig.connect("ann");
        ann.request(id -> new BeginSession(id, 9, true));
        ann.request(id -> new EndBranch(id, BranchEnd.PREPARE, xid(1), 9, List.of()));
        ann.request(id -> new EndBranch(id, BranchEnd.PREPARE, xid(2), 9, List.of()));
        TestClient bob = rig.connect("bob");
        TestClient root = rig.connect("root");

        // then
        assertThat(prepared(ann)).containsExactly(xid(1), xid(2));
        assertThat(prepared(bob)).isEmpty();
        assertThat(prepared(root)).containsExactly(xid(1), xid(2));
        String hidden =
                bob.refused(ErrorCode.UNKNOWN_TRANSACTION, id -> new Decide(id, xid(1), false));
        String missing =
                bob.refused(ErrorCode.UNKNOWN_TRANSACTION, id -> new Decide(id, xid(7), false));
        assertThat(hidden.replace(xid(1).toString(), xid(7).toString())).isEqualTo(missing);
        assertThat(rig.get("bob", "/api/v1/transactions").body()).isEqualTo("[]\n");
        assertThat(
                        rig.ask("bob", "POST", "/api/v1/transactions/" + xid(1) + "/rollback")
                                .statusCode())
                .isEqualTo(404);
        ann.request(id -> new Decide(id, xid(1), true));
        root.request(id -> new Decide(id, xid(2), false));
        assertThat(prepared(root)).isEmpty();
    }

    private static List<Xid> prepared(TestClient client) throws IOException {
        client.send(new ListPrepared(77, null));
        List<Xid> found = client.await(Prepared.class).xids();
        client.await(ControlFrame.Accepted.class);
        return found;
    }

    /// What was kept for a client that comes back is not more than its user may have then.
    @Test
    void shouldNotGiveBackWhatIsNotAllowedAnyMore() throws IOException {
        // given
        PermissionRig rig = rig();
        ClientInstance instance = ClientInstance.create();
        TestClient ann = rig.returning("ann", "ann", new Resumption(instance, 1, 0));
        long connection = ann.expect(ControlFrame.Welcome.class).connectionId();
        String reply = "%s%016x/r".formatted(Protocol.TEMPORARY_PREFIX, connection);
        ann.request(id -> new CreateTemporary(id, QUEUE, reply));
        ann.disconnect();
        rig.reload(
                RULES.replace("{who: [ann, bob], may: temporary}", "{who: bob, may: temporary}"));

        // when
        TestClient again = rig.returning("ann", "ann", new Resumption(instance, 2, 0));

        // then
        assertThat(again.expect(ControlFrame.Welcome.class).connectionId()).isEqualTo(connection);
        refused(again, id -> new CreateTemporary(id, QUEUE, reply));
        TestClient bob = rig.connect("bob");
        assertThat(
                        bob.refused(
                                ErrorCode.INVALID_DESTINATION,
                                id -> new ControlFrame.Open(id, 1, QUEUE, reply)))
                .contains("does not exist any more");

        // when
        again.disconnect();
        rig.reload(RULES.replace("may: identify", "may: view"));

        // then
        assertThat(
                        rig.returning("ann", "ann", new Resumption(instance, 3, 0))
                                .await(ControlFrame.Goodbye.class)
                                .message())
                .contains("take client identifier 'ann'");
    }

    @Test
    void shouldEndNothingOfAConnectionThatKeepsItsRights() throws IOException {
        // given
        PermissionRig rig = rig();
        TestClient ann = rig.connect("ann", "ann");
        begin(ann);
        ann.request(id -> consume(id, 2, ConsumerRole.DURABLE, TOPIC, "prices", "ann-x"));
        ann.send(QUEUE, "orders-1", 1, "a");

        // when
        rig.reload(RULES + "  - {who: mon, may: admin}\n");

        // then
        ann.send(QUEUE, "orders-1", 1, "b");
        ann.request(id -> new EndConsumer(id, 2, DeliveryRanges.NONE));
        ann.request(id -> new DeleteSubscription(id, "ann-x"));
    }
}
