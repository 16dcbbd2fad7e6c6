package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;

/// Commands about a cluster. `ClusterBrokerTest` has nodes that answer them.
class ClusterCommandTest {
    private final CommandRun ran = new CommandRun();

    private int cluster(String... arguments) {
        return ran.execute(ClusterCommand.commandLine(), arguments);
    }

    /// The requests that a server got which answers all of them alike.
    private List<String> asked(int status, String answer, String... arguments) throws IOException {
        List<String> asked = new ArrayList<>();
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                    byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        try {
            List<String> all = new ArrayList<>(List.of(arguments));
            all.add("--url=http://127.0.0.1:" + server.getAddress().getPort());
            assertThat(cluster(all.toArray(String[]::new)))
                    .as(ran.err())
                    .isEqualTo(status == 200 ? 0 : 1);
            return asked;
        } finally {
            server.stop(0);
        }
    }

    @Test
    void shouldMoveTheLead() throws IOException {
        // when
        List<String> asked = asked(200, "{\"leader\":\"b\",\"former\":\"a\"}", "lead", "b");

        // then
        assertThat(asked).containsExactly("POST /api/v1/cluster/nodes/b/lead");
        assertThat(ran.out()).isEqualTo("node b leads; before it was node a\n");
    }

    @Test
    void shouldTellForHowLongANodeIsSilent() throws IOException {
        // given
        String answer =
                """
                {"node": "a", "role": "leader", "leader": "a", "leaderAddress": "host:61616",
                 "leaderUrl": "http://host:8161",
                 "term": 3, "applied": 70, "committed": 71,
                 "lag": {"b": 0, "c": 12, "d": null, "e": null},
                 "silentMillis": {"b": 180, "c": 9700, "d": 61999, "e": 3}}
                """;

        // when
        asked(200, answer, "status");

        // then
        assertThat(ran.out())
                .isEqualTo(
                        """
                        node a: leader, term 3
                        leader a, clients at host:61616, HTTP at http://host:8161
                        applied up to entry 70 of 71 confirmed ones
                        node b is 0 entries behind
                        node c is 12 entries behind, and has not answered for 9 s
                        node d has not answered since this one leads, for 61 s; how far it is \
                        behind is not known
                        node e: how far it is behind is not known
                        """);
    }

    @Test
    void shouldPrintTheAnswerAsJson() throws IOException {
        // given
        String answer = "{\"leader\":\"b\",\"former\":\"a\"}";

        // when
        asked(200, answer, "lead", "b", "--output=json");

        // then
        assertThat(ran.out()).isEqualTo(answer + "\n");
    }

    @Test
    void shouldSayWhyTheLeadStays() throws IOException {
        // when
        asked(409, "{\"detail\":\"node 'b' leads already\"}", "lead", "b");

        // then
        assertThat(ran.err()).isEqualTo("winnow cluster lead: node 'b' leads already\n");
    }

    @Test
    void shouldAddAndRemoveANode() throws IOException {
        // when, then
        assertThat(asked(200, "{\"node\":\"d\",\"complete\":true}", "add", "d=host-4:61617"))
                .containsExactly("POST /api/v1/cluster/nodes/d?address=host-4%3A61617");
        assertThat(ran.out()).isEqualTo("node d is a node of the cluster\n");
        assertThat(asked(200, "{\"node\":\"d\",\"complete\":true}", "remove", "d"))
                .containsExactly("DELETE /api/v1/cluster/nodes/d");
        assertThat(ran.out()).isEqualTo("node d is no node of the cluster\n");
        asked(409, "{\"detail\":\"node 'a' leads\"}", "remove", "a");
        assertThat(ran.err()).isEqualTo("winnow cluster remove: node 'a' leads\n");
    }

    @Test
    void shouldSayThatABrokerIsAlone() throws IOException {
        // given
        Broker broker =
                new Broker(BrokerConfig.of(Map.of()), InetAddress.getLoopbackAddress(), 0, 0);
        try {
            String url = "--url=http://127.0.0.1:" + broker.httpAddress().getPort();

            // then
            assertThat(cluster("lead", "b", url)).isOne();
            assertThat(ran.err())
                    .isEqualTo("winnow cluster lead: this broker is not part of a cluster\n");
            assertThat(cluster("status", url)).isOne();
            assertThat(ran.err()).contains("this broker is not part of a cluster");
        } finally {
            broker.close();
        }
    }

    @Test
    void shouldSayHowItIsUsed() {
        assertThat(cluster()).isEqualTo(2);
        assertThat(ran.err()).contains("expected a command: try, status, lead, add or remove");
        assertThat(cluster("lead")).isEqualTo(2);
        assertThat(ran.err()).contains("NODE");
        assertThat(cluster("lead", "a", "b")).isEqualTo(2);
        assertThat(cluster("add", "host:61617")).isEqualTo(2);
        assertThat(ran.err()).contains("expected a node as NAME=HOST:PORT, found 'host:61617'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"try", "status", "lead", "add", "remove"})
    void shouldExplainItself(String command) {
        assertThat(cluster(command, "--help")).isZero();
        assertThat(ran.out()).contains("Usage: winnow cluster " + command);
    }
}
