package winnow.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.metrics.AuthenticationCounters;
import winnow.broker.security.Authenticator;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

class ProtectedPageTest {
    private static final HttpServer.Client CLIENT =
            new HttpServer.Client() {
                @Override
                public boolean isConnected() {
                    return true;
                }

                @Override
                public void execute(Runnable command) {
                    command.run();
                }
            };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "LOCALHOST:8161",
                "winnow.localhost:1",
                "127.0.0.1:8161",
                "[::1]:8161"
            })
    void shouldAnswerWhoNamesThisMachine(String host) throws Exception {
        assertThat(status(host)).isEqualTo(200);
    }

    /// A web page whose name leads to 127.0.0.1 is of the same origin as the broker for a browser.
    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:8161", "127.0.0.1.evil.example", "a b"})
    void shouldTellOtherNamesNothingWithoutUsers(String host) throws Exception {
        assertThat(status(host)).isEqualTo(403);
    }

    private static int status(String host) throws Exception {
        try (Authenticator authenticator =
                new Authenticator(null, false, new AuthenticationCounters())) {
            ProtectedPage page =
                    new ProtectedPage(
                            authenticator,
                            _ ->
                                    CompletableFuture.completedStage(
                                            new Response(200, "text/plain", "settings")));
            HttpServer.Headers headers = new HttpServer.Headers(host, "", "");
            return page.get(new Request(List.of(), Map.of(), headers, "127.0.0.1", false, CLIENT))
                    .toCompletableFuture()
                    .get()
                    .status();
        }
    }
}
