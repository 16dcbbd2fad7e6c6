package winnow.broker.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenKeysTest {
    private static final Duration LONG = Duration.ofDays(1);
    private static final Path JDK = Path.of("");

    private final TestIssuer issuer;

    TokenKeysTest() throws Exception {
        issuer = new TestIssuer();
        issuer.publish(TestIssuer.ec("one"));
    }

    @AfterEach
    void stop() {
        issuer.close();
    }

    private TokenKeys open(Duration pause) throws IOException {
        return TokenKeys.open(new KeyServer(URI.create(issuer.url()), JDK), LONG, pause);
    }

    private static void await(CompletionStage<Void> read) throws Exception {
        read.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static List<String> ids(TokenKeys keys) {
        return keys.current().keys().stream().map(key -> key.getKeyID()).toList();
    }

    @Test
    void shouldReadAFileAtOnce(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("keys.json"), issuer.keySet());

        try (TokenKeys keys = TokenKeys.open(new KeyFile(file), LONG, Duration.ZERO)) {
            assertThat(ids(keys)).containsExactly("one");
            issuer.publish(TestIssuer.ec("two"));
            Files.writeString(file, issuer.keySet());
            await(keys.refresh());
            assertThat(ids(keys)).containsExactly("two");
        }
        Files.writeString(file, "{");
        assertThatThrownBy(() -> TokenKeys.open(new KeyFile(file), LONG, Duration.ZERO))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": expected a set of keys (JWKS)");
        assertThatThrownBy(() -> TokenKeys.open(new KeyFile(directory.resolve("none")), LONG, LONG))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none: no such file or directory");
    }

    @Test
    void shouldAskAServerOnceForAllWhoWait() throws Exception {
        try (TokenKeys keys = open(LONG)) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (ids(keys).isEmpty() && System.nanoTime() < deadline) {
                var _ = keys.refresh();
                Thread.onSpinWait();
            }

            assertThat(ids(keys)).containsExactly("one");
            assertThat(issuer.reads()).isEqualTo(1);
        }
    }

    @Test
    void shouldKeepWhatItHasWhileTheServerFails() throws Exception {
        try (TokenKeys keys = open(Duration.ZERO)) {
            await(keys.refresh());
            assertThat(ids(keys)).containsExactly("one");
            assertThat(keys.failed()).isFalse();

            issuer.answerWith(503, "busy");
            await(keys.refresh());
            await(keys.refresh());
            assertThat(ids(keys)).containsExactly("one");
            assertThat(keys.failed()).isTrue();

            issuer.answerWith(200, "");
            issuer.publish(TestIssuer.ec("two"));
            await(keys.refresh());
            await(keys.refresh());
            assertThat(ids(keys)).containsExactly("two");
            assertThat(keys.failed()).isFalse();
        }
    }

    /// An issuer that has lost a key withdraws it.
    @Test
    void shouldForgetTheLastKeyThatTheServerWithdraws() throws Exception {
        try (TokenKeys keys = open(Duration.ZERO)) {
            await(keys.refresh());
            assertThat(ids(keys)).containsExactly("one");

            issuer.answerWith(200, "{\"keys\": []}");
            await(keys.refresh());
            await(keys.refresh());

            assertThat(ids(keys)).isEmpty();
        }
    }

    private void refused(int status, String body, String why) {
        issuer.answerWith(status, body);
        try (KeyServer server = new KeyServer(URI.create(issuer.url()), JDK)) {
            assertThatThrownBy(() -> IssuerKeys.parse(server.read(), server.name()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(issuer.url())
                    .hasMessageContaining(why);
        }
    }

    @Test
    void shouldBoundWhatAServerSends() {
        refused(302, "x", "expected status 200, found 302");
        refused(500, "x", "expected status 200, found 500");
        refused(200, "<html>", "expected a set of keys (JWKS)");
        refused(200, "x".repeat(KeySource.MAX_BYTES + 1), "");
    }

    @Test
    void shouldBoundTheTimeOfAServer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                KeyServer server =
                        new KeyServer(
                                URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"),
                                JDK,
                                Duration.ofMillis(50))) {
            CompletableFuture<IOException> failure = new CompletableFuture<>();
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            failure.completeExceptionally(new AssertionError(server.read()));
                        } catch (IOException e) {
                            failure.complete(e);
                        } catch (InterruptedException e) {
                            failure.completeExceptionally(e);
                        }
                    });

            assertThat(failure.get(10, TimeUnit.SECONDS)).hasMessageContaining("127.0.0.1");
        }
    }

    @Test
    void shouldTakeKeysInClearTextFromThisMachineOnly() {
        for (String good :
                List.of("https://a.example/keys", "http://127.0.0.1/k", "http://[::1]:1/k")) {
            KeyServer.requireUsable(good);
        }
        for (String bad :
                List.of(
                        "http://a.example/keys",
                        "http://10.0.0.1/keys",
                        "ftp://127.0.0.1/keys",
                        "https:///keys",
                        "https://u:p@a.example/keys",
                        "https://a.example/keys#x",
                        "https://a b")) {
            assertThatThrownBy(() -> KeyServer.requireUsable(bad))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("keys: expected ");
        }
    }
}
