package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Asks a server that answers as it is told.
class AdminClientTest {
    private record Answer(int status, String body) {}

    private final ArrayDeque<Answer> answers = new ArrayDeque<>();
    private final List<Boolean> passwordsSeen = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    passwordsSeen.add(exchange.getRequestHeaders().containsKey("Authorization"));
                    Answer answer = answers.remove();
                    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(answer.status(), body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private HttpUrl url() {
        return HttpUrl.parse("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Test
    void shouldNotSendAPasswordInClearTextThatTheBrokerRefuses() {
        // given
        AdminClient client = new AdminClient(url(), "ann", "secret", false);
        answers.add(new Answer(403, "{\"detail\":\"Basic in clear text\"}"));

        // then
        assertThatThrownBy(() -> client.get("topics")).hasMessage("Basic in clear text");
        assertThat(passwordsSeen).containsExactly(false);
    }

    @Test
    void shouldSendAPasswordInClearTextToABrokerThatAsksForIt() throws IOException {
        // given
        AdminClient client = new AdminClient(url(), "ann", "secret", false);
        answers.add(new Answer(401, "{}"));
        answers.add(new Answer(200, "1"));
        answers.add(new Answer(200, "2"));

        // then
        assertThat(client.get("topics").asInt()).isEqualTo(1);
        assertThat(client.get("topics").asInt()).isEqualTo(2);
        assertThat(passwordsSeen).containsExactly(false, true, true);
    }

    @Test
    void shouldSendThePasswordAtOnceWhereNobodyElseReadsIt() throws IOException {
        // given
        answers.add(new Answer(200, "1"));

        // then
        assertThat(new AdminClient(url(), "ann", "secret").get("topics").asInt()).isEqualTo(1);
        assertThat(passwordsSeen).containsExactly(true);
        assertThat(HttpUrl.parse("http://192.0.2.1:8161").isConfidential()).isFalse();
        assertThat(HttpUrl.parse("https://192.0.2.1:8161").isConfidential()).isTrue();
    }

    @Test
    void shouldTellOfTheSocketThatItTriedFirst() {
        // given
        answers.add(new Answer(401, "{}"));

        // then
        assertThatThrownBy(() -> new AdminClient(url(), "", "").after("a.sock: why").get("topics"))
                .hasMessageContaining("the broker demands credentials")
                .hasMessageEndingWith("; before that it tried the socket a.sock: why");
    }

    @Test
    void shouldSendNoNewPasswordWhereOthersCouldReadIt() throws IOException {
        // given
        JsonNode body = SelectorCommand.JSON.createObjectNode().put("password", "new");
        Map.Entry<String, String> condition = Map.entry("If-Match", "*");
        answers.add(new Answer(201, "1"));

        // then
        assertThatThrownBy(() ->
                        new AdminClient(url(), "ann", "secret", false)
                                .put(body, condition, "users", "bob"))
                .hasMessageContaining("expected https:// or a loopback address in --url");
        assertThat(passwordsSeen).isEmpty();
        assertThat(new AdminClient(url(), "ann", "secret").put(body, condition, "users").asInt())
                .isEqualTo(1);
        assertThat(passwordsSeen).containsExactly(true);
    }

    @Test
    void shouldNotLetTheOtherSideWriteToTheTerminal() {
        // given
        answers.add(new Answer(409, "{\"detail\":\"one\\u001b[2J\\ntwo\"}"));

        // then
        assertThatThrownBy(() -> new AdminClient(url(), "", "").get("topics"))
                .hasMessage("one?[2J\ntwo");
    }
}
