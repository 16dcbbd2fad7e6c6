package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.BranchEnd;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.Source;
import winnow.wire.Xid;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.EndConsumer;

/// Permissions of the HTTP port: what users see and change there.
class PermissionRoutesTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String LIST = "an empty list";
    private static final String HIDDEN = "as if it were not there";
    private static final String FORBIDDEN = "forbidden";
    private static final String OPEN = "open to all users";

    /// What a user without permissions gets. A route that is new belongs here.
    private static final Map<String, String> FOR_NOBODY =
            Map.ofEntries(
                    Map.entry("get /", OPEN),
                    Map.entry("get /openapi.json", OPEN),
                    Map.entry("get /overview", FORBIDDEN),
                    Map.entry("get /connections", OPEN), // Those of one's own.
                    Map.entry("delete /connections/{connection}", FORBIDDEN),
                    Map.entry("get /consumers", LIST),
                    Map.entry("get /blocked", LIST),
                    Map.entry("get /behind", LIST),
                    Map.entry("get /selectors", LIST),
                    Map.entry("get /topics", LIST),
                    Map.entry("get /topics/{topic}", HIDDEN),
                    Map.entry("get /topics/{topic}/subscriptions", HIDDEN),
                    Map.entry("get /topics/{topic}/subscriptions/{id}/explain", HIDDEN),
                    Map.entry("get /backlogs", LIST),
                    Map.entry("get /queues", LIST),
                    Map.entry("get /queues/{queue}", HIDDEN),
                    Map.entry("post /queues/{queue}", FORBIDDEN),
                    Map.entry("delete /queues/{queue}", HIDDEN),
                    Map.entry("post /queues/{queue}/pause", HIDDEN),
                    Map.entry("post /queues/{queue}/resume", HIDDEN),
                    Map.entry("get /queues/{queue}/messages", HIDDEN),
                    Map.entry("delete /queues/{queue}/messages", HIDDEN),
                    Map.entry("post /queues/{queue}/move", HIDDEN),
                    Map.entry("post /queues/{queue}/retry", HIDDEN),
                    Map.entry("get /subscriptions", LIST),
                    Map.entry("get /subscriptions/{subscription}", HIDDEN),
                    Map.entry("delete /subscriptions/{subscription}", HIDDEN),
                    Map.entry("get /subscriptions/{subscription}/messages", HIDDEN),
                    Map.entry("delete /subscriptions/{subscription}/messages", HIDDEN),
                    Map.entry("get /transactions", LIST),
                    Map.entry("post /transactions/{transaction}/commit", HIDDEN),
                    Map.entry("post /transactions/{transaction}/rollback", HIDDEN),
                    Map.entry("get /storage", FORBIDDEN),
                    Map.entry("get /storage/backups", FORBIDDEN),
                    Map.entry("post /storage/backups", FORBIDDEN),
                    Map.entry("get /storage/backups/{backup}", FORBIDDEN),
                    Map.entry("delete /storage/backups/{backup}", FORBIDDEN),
                    Map.entry("get /cluster/nodes", FORBIDDEN),
                    Map.entry("post /cluster/nodes/{node}", FORBIDDEN),
                    Map.entry("delete /cluster/nodes/{node}", FORBIDDEN),
                    Map.entry("post /cluster/nodes/{node}/lead", FORBIDDEN),
                    Map.entry("get /settings", FORBIDDEN),
                    Map.entry("post /reload", FORBIDDEN),
                    Map.entry("get /users", FORBIDDEN),
                    Map.entry("get /users/{user}", FORBIDDEN),
                    Map.entry("put /users/{user}", FORBIDDEN),
                    Map.entry("delete /users/{user}", FORBIDDEN),
                    Map.entry("get /permissions", FORBIDDEN),
                    Map.entry("get /permissions/test", FORBIDDEN));

    private static final String RULES =
            """
              - {who: ann, may: [send, receive], queues: "*", topics: "*"}
              - {who: ann, may: subscribe, subscriptions: "*"}
              - {who: mon, may: view, queues: ["q", "seen"], topics: "t", subscriptions: "*"}
              - {who: bob, may: [view, browse, edit], queues: "q"}
              - {who: bob, may: send, queues: "seen"}
              - {who: root, may: view, queues: "*", topics: "*", subscriptions: "*", clients: "*"}
            """;

    private final PermissionRig rig;
    private int subscription;

    PermissionRoutesTest(@TempDir Path directory) throws IOException {
        rig = new PermissionRig(directory, RULES);
    }

    /// An entry in every list.
    @BeforeEach
    void fill() throws IOException {
        TestClient ann = rig.connect("ann");
        ann.send(DestinationKind.QUEUE, "q", 1, "m");
        ann.send(DestinationKind.QUEUE, "secret", 2, "m");
        ann.subscribe(1, "t", "p = 1", "");
        ann.subscribe(3, "private", "p = 1", "");
        ann.request(id -> new BeginSession(id, 1, false));
        Source source = new Source(DestinationKind.TOPIC, "t", "", "");
        ann.request(id ->
                new Consume(id, 2, 1, ConsumerRole.SHARED_DURABLE, source, "s", false, 1, 1000));
        ann.request(id -> new EndConsumer(id, 2, DeliveryRanges.NONE));
        ann.send(DestinationKind.TOPIC, "t", 3, "m");
        for (int number = 1; number <= 2; number++) {
            Xid xid = new Xid(number, new byte[] {1}, new byte[0]);
            ann.request(id -> new EndBranch(id, BranchEnd.PREPARE, xid, 0, List.of()));
        }
        subscription = json("root", "/api/v1/subscriptions").get(0).path("id").asInt();
        rig.ask("root", "POST", "/api/v1/storage/backups?name=b");
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    private JsonNode json(String user, String path) throws IOException {
        return json(user, "GET", path);
    }

    private JsonNode json(String user, String method, String path) throws IOException {
        HttpResponse<String> answer = rig.ask(user, method, path);
        assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    @Test
    void shouldSayForEveryRouteWhatItNeeds() throws IOException {
        // when
        Map<String, String> found = new TreeMap<>();
        for (JsonNode route : json("nobody", "/api/v1/")) {
            String method = route.path("method").asText();
            String path = route.path("path").asText();
            String name = method + " " + path.replaceFirst("/api/v1/?", "/");
            found.put(name, outcome(method.toUpperCase(Locale.ROOT), path));
        }

        // then
        assertThat(found).hasSizeGreaterThan(35).containsExactlyInAnyOrderEntriesOf(FOR_NOBODY);
    }

    private String outcome(String method, String path) throws IOException {
        String parameters =
                path.endsWith("/move")
                        ? "?to=seen"
                        : path.endsWith("/test")
                                ? "?user=ann&operation=admin&kind=broker"
                                : path.endsWith("/{node}") && method.equals("POST")
                                        ? "?address=127.0.0.1:1"
                                        : "";
        HttpResponse<String> there = rig.ask("nobody", method, path(path, true) + parameters);
        HttpResponse<String> missing = rig.ask("nobody", method, path(path, false) + parameters);
        assertThat(missing.statusCode()).as(path).isEqualTo(there.statusCode());
        if (there.statusCode() != 200) {
            assertThat(missing.body().replaceAll("none|7777|7:77:", "X"))
                    .as(path)
                    .isEqualTo(
                            there.body()
                                    .replace("'t'", "'X'")
                                    .replace("'q'", "'X'")
                                    .replace(
                                            "subscription " + subscription + ";", "subscription X;")
                                    .replaceAll("[12]:01:", "X"));
        }
        return switch (there.statusCode()) {
            case 200 -> there.body().equals("[]\n") && !path.endsWith("connections") ? LIST : OPEN;
            case 403 -> FORBIDDEN;
            case 404 -> HIDDEN;
            default -> there.body();
        };
    }

    private String path(String path, boolean there) {
        return path.replace("{topic}", there ? "t" : "none")
                .replace("{id}", "1")
                .replace("{queue}", there ? "q" : "none")
                .replace("{transaction}", there ? "1:01:" : "7:77:")
                .replace("{subscription}", there ? String.valueOf(subscription) : "7777")
                .replace("{backup}", there ? "b" : "none")
                .replace("{node}", there ? "b" : "none")
                .replace("{user}", there ? "ann" : "none")
                .replace("{connection}", there ? "1" : "7777");
    }

    @Test
    void shouldLeaveOutOfListsWhatMayNotBeSeen() throws IOException {
        assertThat(names("mon", "queues")).containsExactly("q");
        assertThat(names("mon", "topics")).containsExactly("t");
        assertThat(names("mon", "subscriptions")).containsExactly("s");
        assertThat(names("mon", "backlogs")).containsExactlyInAnyOrder("q", "s");
        assertThat(names("bob", "backlogs")).containsExactly("q");
        assertThat(names("bob", "subscriptions")).isEmpty();
        assertThat(names("root", "queues")).contains("q", "secret");
        assertThat(json("mon", "/api/v1/consumers").findValuesAsText("topic")).containsOnly("t");
        assertThat(json("mon", "/api/v1/connections")).isEmpty();
        assertThat(json("ann", "/api/v1/connections").findValuesAsText("user"))
                .containsExactly("ann");
        assertThat(json("root", "/api/v1/connections").findValuesAsText("user")).contains("ann");
    }

    @Test
    void shouldSayThatListsAreNotWhole() throws IOException {
        // when, then
        for (String list : List.of("queues", "topics", "backlogs", "connections", "selectors")) {
            assertThat(filter("nobody", list)).as(list).contains("view");
            assertThat(filter("mon", list)).as(list).contains("view");
            assertThat(filter("root", list)).as(list).isEmpty();
        }
        assertThat(filter("nobody", "transactions")).contains("decide");
        assertThat(filter("nobody", "")).isEmpty();
    }

    private Optional<String> filter(String user, String list) throws IOException {
        return rig.get(user, "/api/v1/" + list).headers().firstValue("Winnow-Filtered");
    }

    /// The topic of a subscription may be viewed, and the subscription may not.
    @Test
    void shouldNotShowNamedSubscriptionsAmongTheConsumersOfATopic() throws IOException {
        // given
        rig.reload(
                RULES
                        + "  - {who: bob, may: view, topics: t}\n"
                        + "  - {who: nobody, may: view, topics: t, subscriptions: 's*'}\n");
        String list = "/api/v1/topics/t/subscriptions";
        int number = 0;
        for (JsonNode one : json("root", list)) {
            number = one.path("client").asText().equals("subscription s") ? id(one) : number;
        }

        // then
        assertThat(number).isPositive();
        for (String user : List.of("mon", "nobody", "root")) {
            assertThat(clients(user, list)).as(user).contains("subscription s").hasSize(2);
            assertThat(clients(user, "/api/v1/consumers")).as(user).contains("subscription s");
            assertThat(rig.get(user, list + "/" + number + "/explain").statusCode()).isEqualTo(200);
        }
        assertThat(clients("bob", list)).hasSize(1).doesNotContain("subscription s");
        assertThat(clients("bob", list + "?limit=1")).hasSize(1);
        assertThat(clients("bob", "/api/v1/consumers")).hasSize(1).doesNotContain("subscription s");
        assertThat(rig.get("bob", list + "/" + number + "/explain").body())
                .isEqualTo(
                        rig.get("bob", list + "/777/explain").body().replace("777", "" + number));
    }

    private static int id(JsonNode subscription) {
        return subscription.path("id").asInt();
    }

    private List<String> clients(String user, String path) throws IOException {
        return json(user, path).findValuesAsText("client");
    }

    private List<String> names(String user, String list) throws IOException {
        List<String> names = new ArrayList<>();
        json(user, "/api/v1/" + list).forEach(one -> names.add(one.path("name").asText()));
        return names;
    }

    @Test
    void shouldNeedMoreThanAViewToChange() throws IOException {
        assertThat(rig.get("mon", "/api/v1/queues/q").statusCode()).isEqualTo(200);
        assertThat(rig.get("mon", "/api/v1/queues/secret").body())
                .isEqualTo(
                        rig.get("root", "/api/v1/queues/secreT")
                                .body()
                                .replace("secreT", "secret"));
        assertThat(rig.get("mon", "/api/v1/queues/q/messages").statusCode()).isEqualTo(403);
        assertThat(rig.ask("mon", "DELETE", "/api/v1/queues/q/messages").body())
                .contains("user 'mon' may not edit queue 'q'");
        assertThat(rig.ask("mon", "DELETE", "/api/v1/subscriptions/" + subscription).statusCode())
                .isEqualTo(403);
        assertThat(rig.get("bob", "/api/v1/queues/q/messages").body()).contains("\"m\"");
        assertThat(rig.ask("bob", "DELETE", "/api/v1/queues/q").statusCode()).isEqualTo(403);
        assertThat(rig.ask("bob", "POST", "/api/v1/queues/seen").statusCode()).isEqualTo(403);
    }

    /// Who may change a queue need not see what waits in it.
    @Test
    void shouldAnswerAPauseWithoutWhatNeedsAView() throws IOException {
        // when
        rig.reload("  - {who: nobody, may: edit, queues: q}\n");

        // then
        assertThat(json("nobody", "POST", "/api/v1/queues/q/pause"))
                .isEqualTo(JSON.readTree("{\"name\": \"q\", \"paused\": true}"));
        assertThat(json("nobody", "POST", "/api/v1/queues/q/resume"))
                .isEqualTo(JSON.readTree("{\"name\": \"q\", \"paused\": false}"));
        assertThat(rig.get("nobody", "/api/v1/queues/q").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldMoveOnlyWhereTheUserMaySend() throws IOException {
        assertThat(rig.ask("bob", "POST", "/api/v1/queues/q/move?to=secret").body())
                .contains("user 'bob' may not send to queue 'secret'");
        assertThat(rig.ask("bob", "POST", "/api/v1/queues/q/move?to=seen").body())
                .contains("\"messages\":1");
    }

    /// What a prepared transaction has sent to a topic waits in a queue of the broker's.
    @Test
    void shouldKeepDelayedMessagesToThoseOfTheirTopic() throws IOException {
        // given
        TestClient ann = rig.connect("ann");
        ann.request(id -> new BeginSession(id, 7, true));
        ann.sendTransacted(7, DestinationKind.TOPIC, "t", 1, "late");
        Xid xid = new Xid(3, new byte[] {1}, new byte[0]);
        ann.request(id -> new EndBranch(id, BranchEnd.PREPARE, xid, 7, List.of()));
        String delayed = "/api/v1/queues/winnow.delayed%2Ft";

        // when
        rig.reload(
                """
                  - {who: [mon, bob], may: [view, browse, edit, delete], queues: "*"}
                  - {who: bob, may: [view, browse], topics: t}
                """);

        // then
        assertThat(names("mon", "queues")).contains("q").doesNotContain("winnow.delayed/t");
        assertThat(rig.get("mon", delayed).statusCode()).isEqualTo(404);
        assertThat(rig.get("mon", delayed + "/messages").statusCode()).isEqualTo(404);
        assertThat(rig.ask("mon", "POST", delayed + "/pause").statusCode()).isEqualTo(404);
        assertThat(rig.ask("mon", "DELETE", delayed + "/messages").statusCode()).isEqualTo(404);
        assertThat(rig.ask("mon", "POST", delayed + "/move?to=q").statusCode()).isEqualTo(404);
        assertThat(rig.ask("mon", "DELETE", delayed).statusCode()).isEqualTo(404);
        assertThat(names("bob", "queues")).contains("winnow.delayed/t");
        assertThat(rig.get("bob", delayed + "/messages").statusCode()).isEqualTo(200);
        assertThat(rig.ask("bob", "POST", delayed + "/pause").statusCode()).isEqualTo(403);
        assertThat(rig.ask("bob", "DELETE", delayed).statusCode()).isEqualTo(403);
    }

    @Test
    void shouldShowDetailedMetricsToThoseWhoMayViewAll() throws IOException {
        assertThat(rig.get("mon", "/metrics/detailed").statusCode()).isEqualTo(403);
        assertThat(rig.get("root", "/metrics/detailed").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldTellWhichRuleDecides() throws IOException {
        // when
        String question = "/api/v1/permissions/test?user=bob&operation=send&kind=queue&name=";

        // then
        assertThat(json("root", question + "seen").path("reason").asText())
                .endsWith("permissions.yaml:7 allows it");
        assertThat(json("bob", question + "q").path("allowed").asBoolean()).isFalse();
        assertThat(rig.get("mon", question + "q").statusCode()).isEqualTo(403);
        // Nobody may ask what others may do by naming their groups.
        String group = "&group=ldap:cn=desk";
        assertThat(rig.get("bob", question + "q" + group).statusCode()).isEqualTo(403);
        assertThat(json("bob", question + "q&group=").path("allowed").asBoolean()).isFalse();
        assertThat(json("root", question + "q" + group).path("allowed").asBoolean()).isFalse();
        assertThat(rig.get("root", question.replace("queue", "broker")).body())
                .contains("expected what 'send' is about, queue or topic, found 'broker'");
        assertThat(json("root", "/api/v1/permissions").path("rules")).hasSize(7);
    }

    @Test
    void shouldTakeNewRulesForTheNextRequest() throws IOException {
        // when
        rig.reload("  - {who: nobody, may: view, queues: secret}\n");

        // then
        assertThat(names("nobody", "queues")).containsExactly("secret");
        assertThat(names("mon", "queues")).isEmpty();
    }
}
