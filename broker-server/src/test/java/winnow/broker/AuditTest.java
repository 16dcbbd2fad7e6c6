package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import winnow.wire.BranchEnd;
import winnow.wire.ConsumerRole;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Source;
import winnow.wire.Xid;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.EndBranch;

/// Reads the audit of a real broker.
class AuditTest {
    private static final String RULES =
            """
              - {who: ann, may: [edit, view], queues: 'orders-*'}
              - {who: ann, may: send, queues: 'orders-*'}
              - {who: ann, may: identify, clients: 'c'}
            """;

    private final Logger logger = (Logger) LoggerFactory.getLogger("winnow.audit");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final PermissionRig rig;

    AuditTest(@TempDir Path directory) throws IOException {
        rig = new PermissionRig(directory, RULES);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() throws IOException {
        logger.detachAppender(log);
        rig.close();
    }

    /// The fields of each line of a kind.
    private List<Map<String, String>> lines(String event) {
        return List.copyOf(log.list).stream()
                .map(AuditTest::fields)
                .filter(one -> event.equals(one.get("event")))
                .toList();
    }

    static Map<String, String> fields(ILoggingEvent event) {
        Map<String, String> fields = new TreeMap<>();
        Objects.requireNonNull(event.getKeyValuePairs())
                .forEach(pair -> fields.put(pair.key, String.valueOf(pair.value)));
        return fields;
    }

    @Test
    void shouldTellLoginsAndRefusals() throws IOException {
        // when
        TestClient ann = rig.connect("ann", "c");
        String connection = "%016x".formatted(rig.connectionId);
        for (int i = 0; i < 30; i++) {
            ann.refused(
                    ErrorCode.NOT_AUTHORIZED,
                    id -> new ControlFrame.Open(id, 1, DestinationKind.QUEUE, "secret"));
        }
        rig.get("bob", "/api/v1/settings");
        rig.said("nobody", "").await(ControlFrame.Welcome.class);
        TestClient wrong = new TestClient(rig.broker.address());
        wrong.hello(new ControlFrame.Hello(0, "", "PLAIN", "\0ann\0wrong", 0, "test"));
        wrong.await(ControlFrame.Goodbye.class);
        wrong.close();

        // then
        assertThat(lines("login"))
                .contains(
                        Map.of(
                                "event", "login",
                                "user", "ann",
                                "address", "127.0.0.1",
                                "connection", connection,
                                "client", "c"));
        assertThat(lines("login-refused"))
                .contains(
                        Map.of(
                                "event", "login-refused",
                                "user", "ann",
                                "address", "127.0.0.1"));
        // Those of one user do not hide those of another.
        assertThat(lines("refusal"))
                .contains(
                        Map.of(
                                "event", "refusal",
                                "user", "ann",
                                "address", "127.0.0.1",
                                "connection", connection,
                                "operation", "send",
                                "kind", "queue",
                                "object", "secret"),
                        Map.of(
                                "event", "refusal",
                                "user", "bob",
                                "address", "127.0.0.1",
                                "operation", "admin",
                                "kind", "broker"))
                .filteredOn(one -> "ann".equals(one.get("user")))
                .hasSize(20);
        assertThat(
                        BrokerPages.metric(
                                rig.broker,
                                "winnow_authorization_refusals_total{operation=\"send\"}"))
                .hasValue(30);
    }

    @Test
    void shouldNotLetLoginsOfOneUserHideOthers() throws IOException {
        // when
        for (int i = 0; i < 25; i++) {
            rig.connect("ann").disconnect();
        }
        rig.connect("bob");

        // then
        assertThat(lines("login")).filteredOn(one -> "ann".equals(one.get("user"))).hasSize(20);
        assertThat(lines("login")).last().asString().contains("user=bob");
    }

    /// A line says what was done to which object, however long names are, and by which rule, also
    /// where that is known after a look-up only.
    @Test
    void shouldTellAllOfAChange() throws IOException {
        // given
        rig.reload(
                RULES
                        + """
                          - {who: ann, may: [view, receive], topics: t}
                          - {who: ann, may: [subscribe, view, edit], subscriptions: s}
                          - {who: mon, may: decide}
                        """);
        String source = "orders-" + "s".repeat(300);
        String target = "orders-" + "t".repeat(300);
        TestClient ann = rig.connect("ann");
        ann.send(DestinationKind.QUEUE, source, 1, "a");
        ann.request(id -> new BeginSession(id, 1, false));
        Source topic = new Source(DestinationKind.TOPIC, "t", "", "");
        ann.request(id ->
                new Consume(id, 1, 1, ConsumerRole.SHARED_DURABLE, topic, "s", false, 1, 1000));
        Xid xid = new Xid(1, new byte[] {1}, new byte[0]);
        ann.request(id -> new EndBranch(id, BranchEnd.PREPARE, xid, 0, List.of()));
        String subscription =
                rig.get("ann", "/api/v1/subscriptions")
                        .body()
                        .replaceFirst("(?s).*\"id\":(\\d+).*", "$1");

        // when
        rig.ask("ann", "POST", "/api/v1/queues/" + source + "/move?to=" + target);
        rig.ask("ann", "DELETE", "/api/v1/subscriptions/" + subscription + "/messages");
        rig.ask("mon", "POST", "/api/v1/transactions/" + xid + "/commit");

        // then
        assertThat(lines("change"))
                .containsExactly(
                        change("ann", "moveMessages", source, "3"),
                        change("ann", "purgeSubscription", subscription, "7"),
                        change("mon", "commitTransaction", xid.toString(), "8"));
        assertThat(List.copyOf(log.list))
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains(
                        "moved 1 message of queue " + source + " to queue " + target,
                        "removed 0 messages of subscription s of topic t");
    }

    private static Map<String, String> change(
            String user, String operation, String object, String rule) {
        return Map.of(
                "event", "change",
                "user", user,
                "address", "127.0.0.1",
                "operation", operation,
                "object", object,
                "rule", rule);
    }

    @Test
    void shouldTellChangesOfUsersAndTheConnectionsThatTheyEnd() throws IOException {
        // given
        TestClient ann = rig.connect("ann", "c");
        String connection = "%016x".formatted(rig.connectionId);

        // when
        String body = "{\"password\": \"geheim\"}";
        rig.send("PUT", "/api/v1/users/ann", body);
        rig.send("PUT", "/api/v1/users/eve", body);
        rig.send("DELETE", "/api/v1/users/eve", "");
        rig.send("DELETE", "/api/v1/users/root", "");
        ann.await(ControlFrame.Goodbye.class);

        // then
        assertThat(lines("change"))
                .containsExactly(
                        change("root", "putUser", "ann", "2"),
                        change("root", "putUser", "eve", "2"),
                        change("root", "removeUser", "eve", "2"));
        assertThat(lines("revocation"))
                .containsExactly(
                        Map.of(
                                "event", "revocation",
                                "user", "ann",
                                "address", "127.0.0.1",
                                "connection", connection,
                                "client", "c"));
        assertThat(List.copyOf(log.list))
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains(
                        "set the password of user 'ann'",
                        "made user 'eve'",
                        "removed user 'eve'",
                        "the password of user 'ann' was changed")
                .noneMatch(line -> line.contains("geheim"));
    }

    @Test
    void shouldTellChangesWithTheirRulesAndReloads() throws IOException {
        // given
        rig.connect("ann").send(DestinationKind.QUEUE, "orders-1", 1, "a");

        // when
        rig.ask("ann", "DELETE", "/api/v1/queues/orders-1/messages");
        rig.ask("root", "POST", "/api/v1/reload");
        rig.reload(RULES + "  - {who: mon, may: view, queues: '*'}\n");

        assertThatThrownBy(() -> rig.reload("  - {who: mon, may: all}\n"))
                .isInstanceOf(IOException.class);

        // then
        assertThat(lines("reload-refused")).hasSize(1);
        assertThat(lines("change"))
                .contains(
                        Map.of(
                                "event", "change",
                                "user", "ann",
                                "address", "127.0.0.1",
                                "operation", "purgeQueue",
                                "object", "orders-1",
                                "rule", "3"),
                        Map.of(
                                "event", "change",
                                "user", "root",
                                "address", "127.0.0.1",
                                "operation", "reload",
                                "rule", "2"));
        assertThat(lines("reload"))
                .extracting(one -> one.get("permissions"))
                .containsExactly(
                        "permissions did not change",
                        "permissions: rules that are new: 1 (lines 6)");
    }
}
