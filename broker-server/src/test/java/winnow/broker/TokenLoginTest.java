package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.ECKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.config.SettingSources;
import winnow.broker.identity.TestIssuer;
import winnow.broker.security.UserFile;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.bearer.BearerMessage;
import winnow.wire.frame.ControlFrame;

/// Tokens on both ports of a broker.
class TokenLoginTest {
    private static final String RULES =
            """
            rules:
              - {who: root, may: admin}
              - {who: "oidc:/trading", may: [send, view], queues: "orders"}
            """;

    private final TestIssuer issuer = new TestIssuer();
    private final ECKey key = TestIssuer.ec("one");
    private final Path directory;
    private final Path keys;
    private final Map<String, String> settings = new HashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    TokenLoginTest(@TempDir Path directory) throws Exception {
        this.directory = directory;
        issuer.publish(key);
        keys = Files.writeString(directory.resolve("keys.json"), issuer.keySet());
        settings.putAll(issuer.settings());
        settings.put("security.tokens.keys", keys.toString());
        settings.put("security.tokens.clock-skew", "0s");
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
        issuer.close();
    }

    private Broker start() throws IOException {
        Broker broker =
                new Broker(
                        BrokerConfig.of(settings),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0,
                        () -> new SettingSources(BrokerConfig.of(settings)),
                        null);
        open.add(broker);
        return broker;
    }

    private String token(String user, String... groups) throws Exception {
        return token(user, 300, groups);
    }

    private String token(String user, int seconds, String... groups) throws Exception {
        Map<String, Object> claims = TestIssuer.claims(user);
        claims.put("exp", Date.from(Instant.now().plusSeconds(seconds)));
        claims.put("groups", List.of(groups));
        return TestIssuer.token(key, claims);
    }

    private TestClient hello(Broker broker, String mechanism, String response) throws IOException {
        TestClient client = new TestClient(broker.address());
        open.add(client);
        client.hello(new ControlFrame.Hello(Protocol.STORED, "", mechanism, response, 0, "test"));
        return client;
    }

    private TestClient login(Broker broker, String token) throws IOException {
        TestClient client = hello(broker, BearerMessage.MECHANISM, BearerMessage.of(token).text());
        client.expect(ControlFrame.Welcome.class);
        return client;
    }

    private void refused(Broker broker, String mechanism, String response, String why)
            throws IOException {
        ControlFrame.Goodbye answer =
                hello(broker, mechanism, response).expect(ControlFrame.Goodbye.class);
        assertThat(answer.code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED.number());
        assertThat(answer.message()).contains(why);
    }

    private static HttpResponse<String> get(Broker broker, String path, String token)
            throws IOException {
        return BrokerPages.getWith(broker, path, "Bearer " + token);
    }

    @Test
    void shouldTakeTokensOnBothPorts() throws Exception {
        Broker broker = start();
        String token = token("ann");

        login(broker, token).open(1, "prices");

        assertThat(get(broker, "/api/v1/topics", token).statusCode()).isEqualTo(200);
        assertThat(get(broker, "/api/v1/topics", "a.b.c").statusCode()).isEqualTo(401);
        assertThat(BrokerPages.get(broker, "/metrics").body())
                .contains("winnow_authentication_check_seconds_count{by=\"token\"} 3\n");
        assertThat(get(broker, "/api/v1/connections", token).body()).contains("\"user\":\"ann\"");
        assertThat(BrokerPages.getWith(broker, "/metrics/detailed", "bearer " + token).statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldTakeNothingElseWithoutAUserFile() throws Exception {
        Broker broker = start();

        refused(broker, "ANONYMOUS", "", "this broker demands a token");
        refused(broker, "PLAIN", "\0ann\0secret", "(security.users): this broker demands a token");
        refused(broker, "SCRAM-SHA-256", "n,,n=ann,r=abc", "yours: this broker demands a token");
        refused(broker, "OAUTHBEARER", "n,,", "OAUTHBEARER: expected a message such as");
        refused(
                broker,
                "OAUTHBEARER",
                BearerMessage.of("a.b.c").text(),
                "expected a signed token (JWT)");
        refused(
                broker,
                "OAUTHBEARER",
                new BearerMessage("bob", token("ann")).text(),
                "expected no authorisation id or the user's own, found 'bob'");
        HttpResponse<String> without = BrokerPages.get(broker, "/api/v1/topics");
        assertThat(without.statusCode()).isEqualTo(401);
        assertThat(without.body()).contains("this broker demands a token, as HTTP Bearer");
        assertThat(get(broker, "/api/v1/topics", token("ann", -1)).body()).contains("(exp)");
        assertThat(get(broker, "/api/v1/topics", "a b").body()).contains("expected Basic and");
        assertThat(BrokerPages.get(broker, "/api/v1/topics", "ann", "x").statusCode())
                .isEqualTo(401);
        BrokerPages.awaitMetric(broker, "winnow_authentication_failures_total", 9);
    }

    private static List<String> challenges(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(401);
        return response.headers().allValues("WWW-Authenticate");
    }

    @Test
    void shouldOfferTheWaysToProveAUser() throws Exception {
        settings.put(
                "security.users",
                TestUsers.write(directory, UserFile.line("root", "secret")).toString());
        Broker broker = start();
        String basic = "Basic realm=\"winnow\"";
        String bearer = "Bearer realm=\"winnow\"";
        String refused = bearer + ", error=\"invalid_token\"";
        String path = "/api/v1/topics";

        assertThat(challenges(BrokerPages.get(broker, path))).containsExactly(basic, bearer);
        assertThat(challenges(BrokerPages.get(broker, path, "root", "wrong")))
                .containsExactly(basic, bearer);
        assertThat(challenges(get(broker, path, token("ann", -1)))).containsExactly(basic, refused);
        assertThat(challenges(get(broker, path, "a b"))).containsExactly(basic, refused);
    }

    @Test
    void shouldOfferNoPasswordsWhereThereAreNone() throws Exception {
        Broker broker = start();

        assertThat(challenges(BrokerPages.get(broker, "/metrics/detailed")))
                .containsExactly("Bearer realm=\"winnow\"");
    }

    @Test
    void shouldRefuseTokensWhereNoneAreTaken() throws Exception {
        settings.clear();
        Broker broker = start();

        refused(
                broker,
                "OAUTHBEARER",
                BearerMessage.of(token("ann")).text(),
                "this broker takes no tokens (security.tokens.issuer)");
    }

    /// An issuer may let its users choose their names.
    @Test
    void shouldKeepNamesOfTheUserFileForTheirPasswords() throws Exception {
        settings.put(
                "security.users",
                TestUsers.write(directory, UserFile.line("root", "secret")).toString());
        Broker broker = start();

        refused(
                broker,
                "OAUTHBEARER",
                BearerMessage.of(token("root")).text(),
                "expected a user who is not in security.users, found 'root'");
        login(broker, token("ann"));
        hello(broker, "PLAIN", "\0root\0secret").expect(ControlFrame.Welcome.class);
        assertThat(BrokerPages.get(broker, "/api/v1/topics").body())
                .contains("a user and a password, or a token, as HTTP Basic or Bearer");
    }

    @Test
    void shouldEndTheConnectionsOfANameThatGetsAPassword() throws Exception {
        settings.put(
                "security.users",
                TestUsers.write(directory, UserFile.line("root", "secret")).toString());
        Broker broker = start();
        TestClient client = login(broker, token("ann"));
        TestClient other = login(broker, token("bob"));

        HttpResponse<String> answer =
                BrokerPages.put(
                        broker,
                        "/api/v1/users/ann",
                        "{\"password\": \"new\"}",
                        "Authorization",
                        "Bearer " + token("eve"));

        assertThat(answer.body()).contains("\"created\":true").doesNotContain("\"ended\":[]");
        assertThat(client.expect(ControlFrame.Goodbye.class).message())
                .isEqualTo("user 'ann' is in security.users now and needs its password");
        other.open(1, "prices");
        refused(
                broker,
                "OAUTHBEARER",
                BearerMessage.of(token("ann")).text(),
                "expected a user who is not in security.users, found 'ann'");
    }

    /// A user with a token is in no user file.
    @Test
    void shouldMakeNoUserWithoutAUserFile() throws Exception {
        Broker broker = start();

        HttpResponse<String> answer =
                BrokerPages.put(
                        broker,
                        "/api/v1/users/bob",
                        "{\"password\": \"new\"}",
                        "Authorization",
                        "Bearer " + token("ann"));

        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("expected a broker with a user file (security.users)");
        assertThat(get(broker, "/api/v1/users", token("ann")).body()).isEqualTo("[]\n");
    }

    @Test
    void shouldKeepAUserWithATokenWhenUsersAreReadAgain() throws Exception {
        settings.put(
                "security.users",
                TestUsers.write(directory, UserFile.line("root", "secret")).toString());
        Broker broker = start();
        TestClient client = login(broker, token("ann"));

        broker.reload();

        client.open(1, "prices");
    }

    @Test
    void shouldGiveTheGroupsOfATokenTheirPermissions() throws Exception {
        settings.put(
                "security.permissions",
                Files.writeString(directory.resolve("permissions.yaml"), RULES).toString());
        Broker broker = start();

        TestClient trader = login(broker, token("ann", "/trading"));
        TestClient other = login(broker, token("bob", "/shipping"));

        ControlFrame.Open orders = new ControlFrame.Open(7, 1, DestinationKind.QUEUE, "orders");
        trader.send(orders);
        trader.expect(ControlFrame.Accepted.class);
        other.send(orders);
        assertThat(other.expect(ControlFrame.Refused.class).message())
                .contains("user 'bob' may not send to queue 'orders'");
        assertThat(get(broker, "/api/v1/overview", token("ann", "/trading")).statusCode())
                .isEqualTo(200);
        assertThat(get(broker, "/api/v1/overview", token("bob", "/shipping")).statusCode())
                .isEqualTo(403);
    }

    @Test
    void shouldEndTheConnectionWithItsToken() throws Exception {
        Broker broker = start();
        TestClient lasting = login(broker, token("ann"));

        TestClient client = login(broker, token("bob", 2));

        ControlFrame.Goodbye end = client.expect(ControlFrame.Goodbye.class);
        assertThat(end.code()).isEqualTo(ErrorCode.CREDENTIALS_EXPIRED.number());
        assertThat(end.message()).contains("may come back with another one");
        lasting.open(1, "prices");
    }

    @Test
    void shouldReadTheKeysAgain() throws Exception {
        Broker broker = start();
        ECKey next = TestIssuer.ec("one");
        issuer.publish(next);
        Files.writeString(keys, issuer.keySet());

        broker.reload();

        refused(
                broker,
                "OAUTHBEARER",
                BearerMessage.of(token("ann")).text(),
                "expected a signature of the issuer");
        login(broker, TestIssuer.token(next, TestIssuer.claims("ann")));
        Files.writeString(keys, "{");
        assertThatThrownBy(broker::reload)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("security.tokens.keys: " + keys)
                .hasMessageContaining("nothing was changed");
        login(broker, TestIssuer.token(next, TestIssuer.claims("ann")));
    }

    @Test
    void shouldListenBeyondLoopbackWithTokens() throws Exception {
        try (Broker broker =
                new Broker(BrokerConfig.of(settings), InetAddress.getByName("0.0.0.0"), 0, 0)) {
            assertThat(broker.address().getPort()).isPositive();
        }
    }

    @Test
    void shouldNotStartWithoutKeys() {
        settings.put("security.tokens.keys", directory.resolve("none").toString());

        assertThatThrownBy(this::start)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("security.tokens.keys: ")
                .hasMessageContaining("none: no such file or directory");
        assertThat(StartCheck.problems(new SettingSources(BrokerConfig.of(settings))))
                .anyMatch(one -> one.startsWith("security.tokens.keys: "));
    }
}
