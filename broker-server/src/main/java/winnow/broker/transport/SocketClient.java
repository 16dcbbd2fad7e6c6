package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSession;
import jdk.net.ExtendedSocketOptions;
import winnow.broker.config.PrivateFile;

/// Sends HTTP requests by a Unix domain socket, which the client of the JDK cannot do: one
/// connection for each, whatever host it names. Passwords go there, so the account that listens
/// must be this process's own or root; root trusts the owner of a socket's directory as well.
/// Immutable.
///
/// @param socket where a server listens
public record SocketClient(Path socket) {
    /// Longest wait for an answer where the request says none.
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final int MAX_ANSWER_BYTES = 64 * 1024 * 1024;
    private static final int READ_BYTES = 16 * 1024;

    /// An answer of the server.
    private record Answer(int statusCode, HttpHeaders headers, HttpRequest request, String body)
            implements HttpResponse<String> {
        @Override
        public URI uri() {
            return request.uri();
        }

        @Override
        public Optional<HttpResponse<String>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public HttpClient.Version version() {
            return HttpClient.Version.HTTP_1_1;
        }
    }

    /// Uses a connection.
    @FunctionalInterface
    private interface Exchange<R> {
        R on(SocketChannel channel) throws IOException;
    }

    /// Connects, and sends nothing. Blocks.
    ///
    /// @throws IOException if nobody listens there or a stranger does, or this process may not
    ///   connect
    public void connect() throws IOException {
        boolean _ = connected(TIMEOUT, _ -> true);
    }

    /// Sends a request and waits for its answer. Blocks.
    ///
    /// @throws IOException naming the socket, if there is no whole answer within the request's time
    public HttpResponse<String> send(HttpRequest request) throws IOException {
        return connected(request.timeout().orElse(TIMEOUT), channel -> exchange(channel, request));
    }

    /// Closes the connection when the exchange is over or its time is.
    private <R> R connected(Duration timeout, Exchange<R> exchange) throws IOException {
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            var _ =
                    end.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                            .exceptionally(_ -> close(channel));
            channel.connect(UnixDomainSocketAddress.of(socket));
            requireTrusted(channel);
            return exchange.on(channel);
        } catch (AsynchronousCloseException e) {
            HttpTimeoutException late =
                    new HttpTimeoutException(
                            socket + ": no answer within " + timeout.toMillis() + " ms");
            late.initCause(e);
            throw late;
        } finally {
            end.complete(true);
        }
    }

    /// The system tells who has begun to listen, whoever owns the file by now.
    private void requireTrusted(SocketChannel channel) throws IOException {
        UserPrincipal listener = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        UserPrincipal own = PrivateFile.processAccount();
        if (!isTrusted(
                listener, own, Objects.requireNonNull(socket.toAbsolutePath().getParent()))) {
            throw new IOException(
                    ("expected a broker of this account, of root, or for root one of the account"
                                    + " that owns the directory and alone can write there, found"
                                    + " that '%s' listens; move the socket (http.socket) to a"
                                    + " directory of the broker's own")
                            .formatted(listener.getName()));
        }
    }

    /// Tells if passwords may be sent to the account that listens.
    ///
    /// @param own account of this process
    /// @param directory that the socket is in
    static boolean isTrusted(UserPrincipal listener, UserPrincipal own, Path directory)
            throws IOException {
        UserPrincipal root = account(0);
        if (listener.equals(own) || listener.equals(root)) {
            return true;
        }
        PosixFileAttributes found = Files.readAttributes(directory, PosixFileAttributes.class);
        return own.equals(root)
                && listener.equals(found.owner())
                && !found.permissions().contains(PosixFilePermission.GROUP_WRITE)
                && !found.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    }

    private static UserPrincipal account(long uid) throws IOException {
        return FileSystems.getDefault()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(Long.toString(uid));
    }

    private static boolean close(SocketChannel channel) {
        try {
            channel.close();
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer exchange(SocketChannel channel, HttpRequest request) throws IOException {
        EmbeddedChannel codec =
                new EmbeddedChannel(
                        new HttpClientCodec(), new HttpObjectAggregator(MAX_ANSWER_BYTES));
        try {
            codec.writeOutbound(encoded(request));
            for (ByteBuf part = codec.readOutbound(); part != null; part = codec.readOutbound()) {
                ByteBuffer bytes = ByteBuffer.wrap(ByteBufUtil.getBytes(part));
                part.release();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            return answer(read(channel, codec), request);
        } catch (CodecException e) {
            throw new IOException(socket + ": " + e.getMessage(), e);
        } finally {
            codec.finishAndReleaseAll();
        }
    }

    private FullHttpResponse read(SocketChannel channel, EmbeddedChannel codec) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(READ_BYTES);
        FullHttpResponse answer = codec.readInbound();
        while (answer == null) {
            if (channel.read(bytes.clear()) < 0) {
                throw new EOFException(socket + ": the connection ended before the answer did");
            }
            codec.writeInbound(Unpooled.copiedBuffer(bytes.flip()));
            answer = codec.readInbound();
        }
        return answer;
    }

    /// Takes ownership of what was read.
    private Answer answer(FullHttpResponse read, HttpRequest request) throws IOException {
        try {
            if (!read.decoderResult().isSuccess()) {
                throw new IOException(socket + ": expected HTTP, found something else");
            }
            Map<String, List<String>> headers =
                    read.headers().entries().stream()
                            .collect(
                                    Collectors.groupingBy(
                                            Map.Entry::getKey,
                                            () -> new TreeMap<>(String.CASE_INSENSITIVE_ORDER),
                                            Collectors.mapping(
                                                    Map.Entry::getValue, Collectors.toList())));
            return new Answer(
                    read.status().code(),
                    HttpHeaders.of(headers, (_, _) -> true),
                    request,
                    read.content().toString(StandardCharsets.UTF_8));
        } finally {
            read.release();
        }
    }

    private static FullHttpRequest encoded(HttpRequest request) {
        URI uri = request.uri();
        String query = uri.getRawQuery();
        byte[] body = request.bodyPublisher().map(SocketClient::bytes).orElse(new byte[0]);
        FullHttpRequest encoded =
                new DefaultFullHttpRequest(
                        HttpVersion.HTTP_1_1,
                        HttpMethod.valueOf(request.method()),
                        uri.getRawPath() + (query == null ? "" : "?" + query),
                        Unpooled.wrappedBuffer(body));
        request.headers().map().forEach((name, values) -> encoded.headers().add(name, values));
        encoded.headers()
                .set(HttpHeaderNames.HOST, "localhost")
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return encoded;
    }

    private static byte[] bytes(HttpRequest.BodyPublisher publisher) {
        HttpResponse.BodySubscriber<byte[]> all = HttpResponse.BodySubscribers.ofByteArray();
        publisher.subscribe(
                new Flow.Subscriber<>() {
                    @Override
                    public void onSubscribe(Flow.Subscription subscription) {
                        all.onSubscribe(subscription);
                    }

                    @Override
                    public void onNext(ByteBuffer part) {
                        all.onNext(List.of(part));
                    }

                    @Override
                    public void onError(Throwable failure) {
                        all.onError(failure);
                    }

                    @Override
                    public void onComplete() {
                        all.onComplete();
                    }
                });
        return all.getBody().toCompletableFuture().join();
    }
}
