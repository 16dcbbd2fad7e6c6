package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.broker.security.UserFile;
import winnow.broker.security.UserFileWriter;
import winnow.wire.ClientInstance;
import winnow.wire.ErrorCode;
import winnow.wire.Resumption;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.ControlFrame;
import winnow.wire.scram.ScramClient;

/// Users of a running broker: shown and changed over HTTP.
class UsersApiTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String USERS = "/api/v1/users";

    private final Path directory;
    private final Path file;
    private final PermissionRig rig;

    UsersApiTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        rig = new PermissionRig(directory, "  - {who: ann, may: send, queues: '*'}\n");
        file = directory.resolve("users");
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    private JsonNode json(HttpResponse<String> answer, int status) throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return JSON.readTree(answer.body());
    }

    private JsonNode get(String path) throws IOException {
        return json(rig.get("root", path), 200);
    }

    private HttpResponse<String> put(String user, String password, String... headers)
            throws IOException {
        return rig.send("PUT", USERS + "/" + user, "{\"password\": \"" + password + "\"}", headers);
    }

    private HttpResponse<String> delete(String user, String... headers) throws IOException {
        return rig.send("DELETE", USERS + "/" + user, "", headers);
    }

    private static String etag(HttpResponse<String> answer) {
        return answer.headers().firstValue("ETag").orElseThrow();
    }

    private static void refused(HttpResponse<String> answer, int status, String detail)
            throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(JSON.readTree(answer.body()).path("detail").asText()).contains(detail);
    }

    private int login(String user, String password) throws IOException {
        return BrokerPages.get(rig.broker, "/api/v1/", user, password).statusCode();
    }

    @Test
    void shouldShowUsersWithoutCredentials() throws IOException {
        // when
        HttpResponse<String> answer = rig.get("root", USERS);

        // then
        assertThat(json(answer, 200).findValuesAsText("name"))
                .containsExactly("ann", "bob", "mon", "nobody", "root");
        for (String line : Files.readAllLines(file)) {
            for (String part : line.split("[:$]", -1)) {
                if (part.length() > 8 && !part.startsWith("SCRAM")) {
                    assertThat(answer.body()).doesNotContain(part);
                }
            }
        }
        assertThat(get(USERS + "?name=*n*").findValuesAsText("name"))
                .containsExactly("ann", "mon", "nobody");
        HttpResponse<String> page = rig.get("root", USERS + "?limit=2");
        assertThat(page.headers().firstValue("Link"))
                .hasValue("</api/v1/users?after=bob&limit=2>; rel=\"next\"");
        assertThat(get(USERS + "?after=bob&limit=2").findValuesAsText("name"))
                .containsExactly("mon", "nobody");
        assertThat(etag(rig.get("root", USERS + "/ann")))
                .isEqualTo(get(USERS).get(0).path("etag").asText());
        refused(rig.get("root", USERS + "/eve"), 404, "there is no user 'eve'");
    }

    @Test
    void shouldAnswerAsDescribed() throws IOException {
        // given
        ApiDescription description = new ApiDescription(get("/api/v1/openapi.json"));
        String one = USERS + "/{user}";

        // then
        description.check("get", USERS, rig.get("root", USERS));
        description.check("get", one, rig.get("root", USERS + "/ann"));
        description.check("put", one, put("eve", "x"));
        description.check("put", one, put("eve", "y"));
        description.check("put", one, put("eve", "z", "If-None-Match", "*"));
        description.check("put", one, put("eve", ""));
        description.check("put", one, put("eve", "x".repeat(17_000)));
        description.check("delete", one, delete("eve", "If-Match", "\"x\""));
        description.check("delete", one, delete("eve"));
        description.check("delete", one, delete("eve"));
        description.check("delete", one, delete("root"));
    }

    @Test
    void shouldMakeAUserWhoCanLogInAtOnce() throws IOException {
        // when
        HttpResponse<String> made = put("eve%20%C3%84%2F2", "\\u00e4 secret", "If-None-Match", "*");

        // then
        JsonNode user = json(made, 201);
        assertThat(user.path("name").asText()).isEqualTo("eve Ä/2");
        assertThat(user.path("created").asBoolean()).isTrue();
        assertThat(etag(made)).isEqualTo(user.path("etag").asText());
        assertThat(login("eve Ä/2", "ä secret")).isEqualTo(200);
        assertThat(get(USERS + "/eve%20%C3%84%2F2").path("etag")).isEqualTo(user.path("etag"));
        assertThat(UserFile.read(file).names()).contains("eve Ä/2", "ann", "root");
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.readString(file)).doesNotContain("secret");
    }

    @Test
    void shouldEndTheConnectionsOfAUserWithANewPassword() throws IOException {
        // given
        TestClient ann = rig.connect("ann");
        String first = "%016x".formatted(rig.connectionId);
        TestClient second = rig.connect("ann", "");
        String other = "%016x".formatted(rig.connectionId);
        TestClient bob = rig.connect("bob");

        // when
        JsonNode changed = json(put("ann", "new"), 200);

        // then
        assertThat(changed.path("created").asBoolean()).isFalse();
        assertThat(changed.path("ended").valueStream().map(JsonNode::asText))
                .containsExactlyInAnyOrder(first, other);
        for (TestClient one : List.of(ann, second)) {
            ControlFrame.Goodbye goodbye = one.await(ControlFrame.Goodbye.class);
            assertThat(ErrorCode.ofNumber(goodbye.code())).isEqualTo(ErrorCode.NOT_AUTHORIZED);
            assertThat(goodbye.message()).isEqualTo("the password of user 'ann' was changed");
            assertThat(one.closedByBroker()).isTrue();
        }
        assertThat(login("ann", "ann")).isEqualTo(401);
        assertThat(login("ann", "new")).isEqualTo(200);
        bob.request(id -> new BeginSession(id, 1, false));
    }

    @Test
    void shouldRefuseALoginThatBeganWithTheOldPassword() throws IOException {
        // given
        ScramClient scram = new ScramClient("ann", "ann");
        try (TestClient ann = new TestClient(rig.broker.address())) {
            ann.hello(new ControlFrame.Hello(0, "", "SCRAM-SHA-256", scram.first(), 0, "test"));
            ann.expect(ControlFrame.Challenge.class);

            // when
            assertThat(json(put("ann", "new"), 200).path("ended")).isEmpty();

            // then
            ControlFrame.Goodbye goodbye = ann.expect(ControlFrame.Goodbye.class);
            assertThat(goodbye.message()).isEqualTo("user or password is wrong");
        }
    }

    @Test
    void shouldForgetClientsThatAreAway() throws IOException {
        // given a client that may come back
        ClientInstance instance = ClientInstance.create();
        TestClient ann = rig.returning("ann", "", new Resumption(instance, 1, 0));
        long connection = ann.expect(ControlFrame.Welcome.class).connectionId();
        ann.disconnect();
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!rig.get("ann", "/api/v1/connections").body().contains("\"away\":true")) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }

        // when
        JsonNode removed = json(delete("ann"), 200);

        // then
        assertThat(removed.path("ended").get(0).asText()).isEqualTo("%016x".formatted(connection));
    }

    @Test
    void shouldEndTheConnectionsOfARemovedUser() throws IOException {
        // given
        TestClient ann = rig.connect("ann");
        String id = "%016x".formatted(rig.connectionId);

        // when
        JsonNode removed = json(delete("ann"), 200);

        // then
        assertThat(removed.path("name").asText()).isEqualTo("ann");
        assertThat(removed.path("ended").get(0).asText()).isEqualTo(id);
        assertThat(ann.await(ControlFrame.Goodbye.class).message())
                .isEqualTo("user 'ann' is not in security.users any more");
        assertThat(login("ann", "ann")).isEqualTo(401);
        assertThat(Files.readAllLines(file)).noneMatch(line -> line.startsWith("ann:"));
        refused(delete("ann"), 404, "there is no user 'ann'");
        assertThat(json(put("ann", "again"), 201).path("created").asBoolean()).isTrue();
    }

    @Test
    void shouldChangeOnlyWhatTheClientKnows() throws IOException {
        // given
        String old = etag(rig.get("root", USERS + "/bob"));
        String now = etag(put("bob", "two", "If-Match", "\"x\", " + old));

        // then a change changes the tag, also one to the same password
        assertThat(now).isNotEqualTo(old).isNotEqualTo(etag(put("bob", "two")));
        refused(put("bob", "three", "If-Match", old), 412, "user 'bob' has changed");
        refused(delete("bob", "If-Match", old), 412, "user 'bob' has changed");
        refused(delete("bob", "If-Match", "W/" + etag(rig.get("root", USERS + "/bob"))), 412, "");
        refused(put("bob", "three", "If-None-Match", "*"), 412, "there is user 'bob' already");
        refused(put("eve", "three", "If-Match", "*"), 412, "there is no user 'eve'");
        refused(put("bob", "three", "If-Match", "nonsense"), 400, "If-Match: expected * or ETags");
        assertThat(login("bob", "two")).isEqualTo(200);
        assertThat(login("eve", "three")).isEqualTo(401);
        json(delete("bob", "If-Match", etag(rig.get("root", USERS + "/bob"))), 200);
    }

    @Test
    void shouldRevealNothingByTags() throws IOException {
        // given another broker with the same file
        String tag = etag(rig.get("root", USERS + "/ann"));
        try (Broker other =
                new Broker(
                        BrokerConfig.of(Map.of("security.users", file.toString())),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0)) {
            // then
            assertThat(BrokerPages.get(other, USERS + "/ann", "root", "root").body())
                    .contains("\"name\":\"ann\"")
                    .doesNotContain(tag.replace("\"", ""));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    ^^ | found none
                    nonsense | found something else at line 1, column
                    {"password": "secret" | found something else at line 1, column
                    {"password": "secret"} x | found something else at line 1, column
                    {"password": "a", "password": "secret"} | found something else at line 1
                    ["secret"] | found no object
                    {} | found no password
                    {"password": 5} | found a password of no text
                    {"password": null} | found a password of no text
                    {"password": "secret", "secret": 1} | found a field of another name
                    {"password": ""} | expected a password, found none
                    {"password": "secret\\u0000"} | without control characters
                    {"password": "secret\\n"} | without control characters
                    {"password": "secret\\ud800"} | whole characters of Unicode
                    """)
    void shouldSayWhatIsWrongWithABodyButNotWhatItIs(String body, String detail)
            throws IOException {
        HttpResponse<String> answer = rig.send("PUT", USERS + "/ann", body);

        refused(answer, 400, detail);
        assertThat(answer.body()).doesNotContain("secret");
        assertThat(login("ann", "ann")).isEqualTo(200);
    }

    @Test
    void shouldRefuseWhatCannotBeStored() throws IOException {
        String json = "Application/JSON; charset=utf-8";
        assertThat(put("ann", "ann", "Content-Type", json).statusCode()).isEqualTo(200);
        byte[] before = Files.readAllBytes(file);

        refused(put("a%3Ab", "x"), 400, "expected a user name without ':'");
        refused(put("%23a", "x"), 400, "not beginning with '#'");
        refused(put("eve", "x".repeat(1025)), 400, "at most 1024 characters, found 1025");
        refused(put("eve", "x".repeat(17_000)), 413, "expected a body of at most 16384 bytes");
        refused(put("eve", "x", "Origin", "http://evil.example"), 403, "no header Origin");
        String form = "application/x-www-form-urlencoded";
        refused(put("eve", "x", "Content-Type", form), 415, "application/json, found '" + form);
        assertThat(rig.send("POST", USERS, "").statusCode()).isEqualTo(405);
        assertThat(file).hasBinaryContent(before);
    }

    @Test
    void shouldKeepTheLastAdministrator() throws IOException {
        // given
        refused(delete("root"), 409, "user 'root' is the last one of the file to whom ");

        // when another one has it
        rig.reload("  - {who: ann, may: admin}\n");

        // then
        json(delete("root"), 200);
        assertThat(rig.ask("ann", "DELETE", USERS + "/ann").body())
                .contains("permissions.yaml gives 'admin'");
        assertThat(UserFile.read(file).names()).contains("ann").doesNotContain("root");
    }

    @Test
    void shouldChangeNothingWhereTheFileIsWrong() throws IOException {
        // given
        Files.writeString(file, Files.readString(file) + "nonsense\n");
        byte[] before = Files.readAllBytes(file);

        // then
        refused(put("ann", "new"), 409, "expected name:verifier");
        refused(delete("ann"), 409, "nothing was changed");
        refused(rig.get("root", USERS), 409, "expected name:verifier");
        assertThat(file).hasBinaryContent(before);
        assertThat(login("ann", "ann")).isEqualTo(200);
    }

    /// No file can be made beside one with so long a name.
    @Test
    void shouldSayWhyTheFileCannotBeReplaced() throws IOException {
        // given
        Path users = directory.resolve("u".repeat(240));
        Files.copy(file, users, StandardCopyOption.COPY_ATTRIBUTES);
        try (Broker broker =
                new Broker(
                        BrokerConfig.of(Map.of("security.users", users.toString())),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0)) {
            String basic = PermissionRig.basic("root");

            // then
            for (HttpResponse<String> answer :
                    List.of(
                            BrokerPages.put(
                                    broker,
                                    USERS + "/ann",
                                    "{\"password\": \"new\"}",
                                    "Authorization",
                                    basic),
                            BrokerPages.delete(broker, USERS + "/ann", "Authorization", basic))) {
                refused(answer, 409, "the broker must be able to replace it; nothing was changed");
            }
            assertThat(users).hasSameBinaryContentAs(file);
            assertThat(BrokerPages.get(broker, USERS + "/ann", "ann", "ann").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void shouldTakeWhatElseHasChangedInTheFile() throws IOException {
        // given
        TestClient bob = rig.connect("bob");
        UserFileWriter.Written _ = UserFileWriter.remove(file, "bob", _ -> {});
        UserFileWriter.put(file, "eve", "eve");

        // when
        json(put("ann", "new"), 200);

        // then
        assertThat(login("eve", "eve")).isEqualTo(200);
        assertThat(bob.await(ControlFrame.Goodbye.class).message())
                .contains("user 'bob' is not in security.users any more");
    }

    private static List<Integer> together(List<Callable<Integer>> work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
            List<Integer> results = new ArrayList<>();
            for (Future<Integer> one : threads.invokeAll(work)) {
                results.add(one.get());
            }
            return results;
        }
    }

    @Test
    void shouldLoseNobodyWhenManyChangeUsers() throws Exception {
        // when half of them by HTTP, half in the file
        List<Callable<Integer>> changes = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            String name = "user" + i;
            changes.add(
                    i % 2 == 0
                            ? () -> put(name, "x").statusCode()
                            : () -> {
                                UserFileWriter.put(file, name, "x");
                                return 201;
                            });
        }
        List<Integer> answers = together(changes);

        // then
        assertThat(answers).containsOnly(201);
        assertThat(UserFile.read(file).names()).hasSize(5 + 12).contains("user0", "user11");
        assertThat(directory).isDirectoryNotContaining("glob:**users.*");
    }

    @Test
    void shouldLetOneOfTwoChangesOfTheSameStateWin() throws Exception {
        // given
        rig.reload("  - {who: ann, may: admin}\n");
        String tag = etag(rig.get("root", USERS + "/bob"));

        // when
        List<Callable<Integer>> passwords =
                List.of(
                        () -> put("bob", "1", "If-Match", tag).statusCode(),
                        () -> put("bob", "2", "If-Match", tag).statusCode(),
                        () -> put("bob", "3", "If-Match", tag).statusCode());
        List<Callable<Integer>> removals =
                List.of(
                        () -> rig.ask("root", "DELETE", USERS + "/ann").statusCode(),
                        () -> rig.ask("ann", "DELETE", USERS + "/root").statusCode());
        List<Integer> passwordAnswers = together(passwords);
        List<Integer> removalAnswers = together(removals);

        // then
        assertThat(passwordAnswers).containsExactlyInAnyOrder(200, 412, 412);
        assertThat(removalAnswers).containsOnlyOnce(200);
        assertThat(UserFile.read(file).names()).containsAnyOf("ann", "root");
    }

    @Test
    void shouldSayThatThereAreNoUsers() throws IOException {
        try (Broker open =
                new Broker(BrokerConfig.of(Map.of()), InetAddress.getLoopbackAddress(), 0, 0)) {
            assertThat(BrokerPages.get(open, USERS).body()).isEqualTo("[]\n");
            refused(BrokerPages.get(open, USERS + "/ann"), 404, "there is no user 'ann'");
            refused(BrokerPages.delete(open, USERS + "/ann"), 404, "there is no user 'ann'");
            refused(
                    BrokerPages.put(open, USERS + "/ann", "{\"password\": \"x\"}"),
                    409,
                    "expected a broker with a user file (security.users)");
        }
    }

    @Test
    void shouldKeepTheLastUserWhereEverybodyMayDoEverything() throws IOException {
        // given
        Path one = Files.createDirectory(directory.resolve("one"));
        Path users = TestUsers.write(one, UserFile.line("ann", "ann"));
        try (Broker broker =
                new Broker(
                        BrokerConfig.of(Map.of("security.users", users.toString())),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0)) {
            // then
            String basic = PermissionRig.basic("ann");
            refused(
                    BrokerPages.delete(broker, USERS + "/ann", "Authorization", basic),
                    409,
                    "user 'ann' is the only one");
        }
    }
}
