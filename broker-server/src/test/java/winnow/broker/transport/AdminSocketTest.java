package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.transport.HttpServer.Page;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

class AdminSocketTest {
    private static final int LARGE = 3_000_000;

    private final Path directory;
    private final Path file;
    private final List<HttpServer> servers = new ArrayList<>();
    private final List<ServerSocketChannel> others = new ArrayList<>();
    private final CompletableFuture<Boolean> waits = new CompletableFuture<>();

    AdminSocketTest(@TempDir Path directory) {
        this.directory = directory;
        this.file = directory.resolve("admin.sock");
    }

    @AfterEach
    void stop() throws IOException {
        servers.forEach(HttpServer::stop);
        for (ServerSocketChannel other : others) {
            other.close();
        }
    }

    private HttpServer start(Path socket) {
        HttpConfig defaults = HttpConfig.DEFAULTS;
        Page whoAsks = request -> now(request.user().name() + "@" + request.address());
        HttpServer server =
                new HttpServer(
                        new HttpConfig(
                                0,
                                socket,
                                1,
                                defaults.receiveTimeout(),
                                defaults.requestTimeout(),
                                defaults.stallTimeout()),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        Map.of(
                                "/who",
                                whoAsks,
                                "/large",
                                _ -> now("ä".repeat(LARGE)),
                                "/never",
                                _ -> {
                                    waits.complete(true);
                                    return new CompletableFuture<>();
                                },
                                "/change",
                                new ChangePage()),
                        new BrokerCounters(),
                        BrokerHeap.unlimited(),
                        null);
        servers.add(server);
        return server;
    }

    private static CompletionStage<Response> now(String text) {
        return CompletableFuture.completedStage(new Response(200, "text/plain", text, "/next"));
    }

    /// Tells what it was asked.
    private static final class ChangePage implements Page {
        @Override
        public CompletionStage<Response> get(Request request) {
            return now("get " + request.parameters());
        }

        @Override
        public CompletionStage<Response> delete(Request request) {
            return now("delete " + request.parameters());
        }
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost" + path));
    }

    private HttpResponse<String> get(String path) throws IOException {
        return new SocketClient(file).send(request(path).build());
    }

    /// Something else that listens there.
    private ServerSocketChannel listen() throws IOException {
        ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        others.add(other);
        other.bind(UnixDomainSocketAddress.of(file));
        return other;
    }

    @Test
    void shouldAnswerItsOwnerAlone() throws IOException {
        // when
        start(file);

        // then
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(directory).isDirectoryNotContaining("glob:**/.admin*");
        assertThat(get("/who").body()).startsWith("local@socket");
    }

    @Test
    void shouldTrustItsOwnAccountRootAndForRootTheOwnerOfThePlace() throws IOException {
        // given
        UserPrincipalLookupService accounts =
                directory.getFileSystem().getUserPrincipalLookupService();
        UserPrincipal root = accounts.lookupPrincipalByName("0");
        UserPrincipal stranger = accounts.lookupPrincipalByName("54321");
        if (Files.getOwner(directory).equals(root)) {
            Files.setOwner(directory, stranger);
        }
        UserPrincipal owner = Files.getOwner(directory);
        UserPrincipal other = accounts.lookupPrincipalByName("54322");

        // then
        for (String permissions : List.of("rwx------", "rwxr-xr-x", "rwxrwx---", "rwx----w-")) {
            boolean alone = permissions.indexOf('w', 2) < 0;
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
            assertThat(SocketClient.isTrusted(other, other, directory)).isTrue();
            assertThat(SocketClient.isTrusted(root, other, directory)).isTrue();
            assertThat(SocketClient.isTrusted(owner, other, directory)).isFalse();
            assertThat(SocketClient.isTrusted(other, root, directory)).isFalse();
            assertThat(SocketClient.isTrusted(owner, root, directory))
                    .as(permissions)
                    .isEqualTo(alone);
        }
    }

    @Test
    void shouldTakeRequestsAndGiveWholeAnswers() throws IOException {
        // given
        start(file);

        // then
        assertThat(get("/large").body()).isEqualTo("ä".repeat(LARGE));
        assertThat(get("/large").headers().firstValue("link")).hasValue("</next>; rel=\"next\"");
        assertThat(get("/none").statusCode()).isEqualTo(404);
        HttpResponse<String> deleted =
                new SocketClient(file)
                        .send(
                                request("/change?selector=a%20%3D%201")
                                        .method(
                                                "DELETE",
                                                HttpRequest.BodyPublishers.ofString("body"))
                                        .build());
        assertThat(deleted.body()).isEqualTo("delete {selector=[a = 1]}");
    }

    @Test
    void shouldKeepAPlaceForTheOperator() throws IOException {
        // given a port whose only connection waits for its answer
        HttpServer server = start(file);
        try (SocketChannel stranger = SocketChannel.open(server.address())) {
            stranger.write(
                    ByteBuffer.wrap(
                            "GET /never HTTP/1.1\r\nHost: x\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII)));
            waits.join();

            // then
            assertThat(get("/who").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldReplaceWhatAKilledBrokerHasLeft() throws IOException {
        // given
        listen().close();
        Files.createDirectory(directory.resolve(".admin.sock"));
        Files.createFile(directory.resolve(".admin.sock").resolve("s"));
        assertThat(file).exists();

        // when
        start(file);

        // then
        assertThat(get("/who").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldLeaveOthersAlone() throws IOException {
        // given
        HttpServer first = start(file);

        // when
        start(file).stop();

        // then
        assertThat(get("/who").statusCode()).isEqualTo(200);
        first.stop();
        assertThat(file).doesNotExist();

        // given
        Files.writeString(file, "text");

        // when
        start(file).stop();

        // then
        assertThat(file).hasContent("text");
    }

    @Test
    void shouldNotRemoveTheSocketOfAnother() throws IOException {
        // given
        HttpServer first = start(file);
        Files.delete(file);
        start(file);

        // when
        first.stop();

        // then
        assertThat(get("/who").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldServeThePortWithoutASocket() throws IOException {
        // given
        int parentBytes = (directory + "/").getBytes(StandardCharsets.UTF_8).length;
        Path tooLong = directory.resolve("a".repeat(AdminSocket.MAX_PATH_BYTES + 1 - parentBytes));

        // then
        for (Path one : List.of(tooLong, directory.resolve("none/admin.sock"), Path.of(""))) {
            HttpServer server = start(one);
            try (SocketChannel client = SocketChannel.open(server.address())) {
                assertThat(client.isConnected()).isTrue();
            }
        }
        assertThat(directory).isEmptyDirectory();
        assertThatThrownBy(() -> get("/who")).hasMessage("No such file or directory");
    }

    @Test
    void shouldNotWaitForever() throws IOException {
        // given
        start(file);

        // then
        assertThatThrownBy(() ->
                        new SocketClient(file)
                                .send(request("/never").timeout(Duration.ofMillis(50)).build()))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessage(file + ": no answer within 50 ms");
    }

    @Test
    void shouldSayThatTheOtherSideSpeaksSomethingElse() throws Exception {
        // given
        ServerSocketChannel other = listen();
        Thread answering =
                Thread.startVirtualThread(() -> {
                    for (String answer : List.of("hello\r\n\r\n", "HTTP/1.1 200 OK\r\n")) {
                        try (SocketChannel client = other.accept()) {
                            client.write(
                                    ByteBuffer.wrap(answer.getBytes(StandardCharsets.US_ASCII)));
                            client.read(ByteBuffer.allocate(LARGE));
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                });

        // then
        assertThatThrownBy(() -> get("/who"))
                .hasMessage(file + ": expected HTTP, found something else");
        assertThatThrownBy(() -> get("/who"))
                .hasMessage(file + ": the connection ended before the answer did");
        answering.join();
    }
}
