package winnow.broker.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.SocketClient;
import winnow.wire.Printable;

/// Asks a running broker's administration API. Owned by one thread.
final class AdminClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final int NOT_FOUND = 404;
    private static final int UNAUTHORIZED = 401;

    /// The target of the next page, RFC 8288.
    private static final Pattern NEXT = Pattern.compile("<([^>]*)>; *rel=\"next\"");

    private final HttpUrl target;
    private final String url;

    /// Value of the header of that name, empty for none.
    private final String authorization;

    private final boolean confidential;

    /// Socket that requests take in place of the URL, null for none.
    private @Nullable SocketClient socket;

    /// The socket that was tried before the URL, and what came of it; empty for none.
    private String tried = "";

    /// True if the broker has asked for credentials.
    private boolean asked;

    /// Operation without which the last answer has left entries out, empty for none.
    private String filter = "";

    /// @param url of the HTTP port
    /// @param user empty for none
    AdminClient(HttpUrl url, String user, String password) {
        this(url, user, password, url.isConfidential());
    }

    /// @param confidential whether nobody else can read what is sent there
    AdminClient(HttpUrl url, String user, String password, boolean confidential) {
        this(url, user.isEmpty() ? "" : basic(user, password), confidential);
    }

    private AdminClient(HttpUrl url, String authorization, boolean confidential) {
        this.confidential = confidential;
        this.target = url;
        this.url = url.base();
        this.authorization = authorization;
    }

    /// One with a bearer token.
    static AdminClient withToken(HttpUrl url, String token) {
        return new AdminClient(url, "Bearer " + token, url.isConfidential());
    }

    /// One that needs no credentials, because it uses the socket of a broker of this machine.
    static AdminClient bySocket(SocketClient socket) {
        AdminClient client = new AdminClient(HttpUrl.parse("http://localhost"), "", true);
        client.socket = socket;
        return client;
    }

    /// Has errors say that a socket was tried first.
    ///
    /// @param failure of the socket
    AdminClient after(String failure) {
        tried = "; before that it tried the socket " + failure;
        return this;
    }

    private static String basic(String user, String password) {
        byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(credentials);
    }

    /// The answer to `GET /api/v1/` and these segments.
    ///
    /// @throws IOException saying what is wrong, if there is no answer or it is a refusal
    JsonNode get(String... segments) throws IOException {
        return ask("GET", Map.of(), segments);
    }

    /// The answer to a request for `/api/v1/` and these segments.
    ///
    /// @param method of HTTP
    /// @param parameters of the query; those with an empty value are left out
    /// @throws IOException saying what is wrong, if there is no answer or it is a refusal
    JsonNode ask(String method, Map<String, String> parameters, String... segments)
            throws IOException {
        try (HttpClient client = client()) {
            URI uri = uri(parameters, segments);
            return content(uri, answer(client, method, uri));
        }
    }

    /// The answer to `PUT /api/v1/` and these segments.
    ///
    /// @param body with a secret, which is sent only where nobody else can read it
    /// @param condition name of a header and its value
    /// @throws IOException saying what is wrong, if there is no answer or it is a refusal
    JsonNode put(JsonNode body, Map.Entry<String, String> condition, String... segments)
            throws IOException {
        if (!confidential) {
            throw new IOException(
                    url
                            + ": expected https:// or a loopback address in --url, because others"
                            + " could read the new password on its way");
        }
        try (HttpClient client = client()) {
            URI uri = uri(segments);
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(uri)
                            .header("Content-Type", "application/json")
                            .header(condition.getKey(), condition.getValue())
                            .PUT(HttpRequest.BodyPublishers.ofString(body.toString()));
            return content(uri, send(client, request, !authorization.isEmpty()));
        }
    }

    /// The answer to `GET` of a page of a node of a cluster that is not of the API.
    ///
    /// @throws IOException saying what is wrong, if there is no answer or it is a refusal
    JsonNode page(String path) throws IOException {
        try (HttpClient client = client()) {
            URI uri = URI.create(url + path);
            HttpResponse<String> response = answer(client, "GET", uri);
            if (response.statusCode() == NOT_FOUND) {
                throw new IOException(url + ": this broker is not part of a cluster");
            }
            return content(uri, response);
        }
    }

    private URI uri(Map<String, String> parameters, String... segments) {
        String query =
                parameters.entrySet().stream()
                        .filter(one -> !one.getValue().isEmpty())
                        .sorted(Map.Entry.comparingByKey())
                        .map(one -> one.getKey() + "=" + encode(one.getValue()))
                        .collect(Collectors.joining("&"));
        return URI.create(uri(segments) + (query.isEmpty() ? "" : "?" + query));
    }

    /// Text in place of the list that was answered last, if it has no entries.
    String none() {
        return none("none");
    }

    /// The same with other words where nothing was left out.
    String none(String text) {
        return filter.isEmpty() ? text : "none that you may " + filter;
    }

    /// All pages of the list that is the answer to `GET /api/v1/` and these segments.
    ///
    /// @throws IOException saying what is wrong, if there is no answer or it is a refusal
    ArrayNode list(String... segments) throws IOException {
        return list(Map.of(), Integer.MAX_VALUE, segments);
    }

    /// The first entries of the list that is the answer to `GET /api/v1/` and these segments.
    ///
    /// @param parameters of the query; those with an empty value are left out
    /// @param max so many at most
    /// @throws IOException saying what is wrong, if there is no answer or it is a refusal
    ArrayNode list(Map<String, String> parameters, int max, String... segments) throws IOException {
        ArrayNode all = SelectorCommand.JSON.createArrayNode();
        try (HttpClient client = client()) {
            Optional<URI> next = Optional.of(uri(parameters, segments));
            while (next.isPresent() && all.size() < max) {
                URI uri = next.get();
                HttpResponse<String> response = answer(client, "GET", uri);
                for (JsonNode one : content(uri, response)) {
                    if (all.size() < max) {
                        all.add(one);
                    }
                }
                next = next(uri, response);
            }
        }
        return all;
    }

    private static Optional<URI> next(URI uri, HttpResponse<String> response) {
        return response.headers()
                .firstValue("Link")
                .map(NEXT::matcher)
                .filter(Matcher::matches)
                .map(link -> uri.resolve(link.group(1)));
    }

    /// Null if there is a socket.
    private @Nullable HttpClient client() throws IOException {
        if (socket != null) {
            return null;
        }
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        return url.startsWith("https:") ? client.sslContext(target.tls()).build() : client.build();
    }

    /// Password or token goes in clear text only to a broker that has asked for it: one that
    /// refuses it says so first.
    private HttpResponse<String> answer(@Nullable HttpClient client, String method, URI uri)
            throws IOException {
        if (!authorization.isEmpty() && !asked && !confidential) {
            HttpResponse<String> without = send(client, request(method, uri), false);
            if (without.statusCode() != UNAUTHORIZED) {
                return without;
            }
            asked = true;
        }
        return send(client, request(method, uri), !authorization.isEmpty());
    }

    private static HttpRequest.Builder request(String method, URI uri) {
        return HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
    }

    private HttpResponse<String> send(
            @Nullable HttpClient client, HttpRequest.Builder request, boolean authorized)
            throws IOException {
        if (authorized) {
            request.header("Authorization", authorization);
        }
        try {
            HttpRequest whole = request.timeout(TIMEOUT).build();
            return client == null
                    ? Objects.requireNonNull(socket).send(whole)
                    : client.send(whole, HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new IOException(
                    "cannot connect to "
                            + url
                            + ": is the broker running? './winnow broker' starts one; --url or"
                            + " WINNOW_HTTP_URL names another's HTTP port, --socket the socket"
                            + " of one on this machine"
                            + tried,
                    e);
        } catch (SSLException e) {
            throw new IOException(
                    "cannot connect to "
                            + url
                            + " by TLS: "
                            + Printable.line(String.valueOf(innermost(e).getMessage()))
                            + "; --url '"
                            + url
                            + "?trustStore=FILE' names the certificates that are trusted",
                    e);
        } catch (IOException e) {
            if (!isNoHttp(e)) {
                throw new IOException(Printable.line(String.valueOf(e.getMessage())), e);
            }
            throw new IOException(
                    url
                            + ": expected HTTP, found something else: --url must name the broker's"
                            + " HTTP port, which is 8161 by default",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /// True if the first line of the answer is none of HTTP; the JDK shows its bytes, which may
    /// hold control characters.
    private static boolean isNoHttp(IOException failure) {
        return innermost(failure) instanceof ProtocolException
                || String.valueOf(failure.getMessage()).contains("parsing HTTP/1.1 status line");
    }

    private static Throwable innermost(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private JsonNode content(URI uri, HttpResponse<String> response) throws IOException {
        if (response.statusCode() == UNAUTHORIZED && authorization.isEmpty()) {
            throw new IOException(
                    url
                            + ": the broker demands credentials: give --user and --password-file,"
                            + " or $WINNOW_USER and $WINNOW_PASSWORD, or a token by --token-file"
                            + " or $WINNOW_TOKEN_FILE, or --socket on the broker's machine"
                            + tried);
        }
        filter = Printable.line(response.headers().firstValue(HttpServer.FILTER_HEADER).orElse(""));
        JsonNode body;
        try {
            body = SelectorCommand.JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            if (response.body().contains("use https")) {
                throw new IOException(url + ": this port speaks TLS: use https:// in --url", e);
            }
            throw new IOException(
                    uri
                            + ": expected JSON, found something else: --url must name the broker's"
                            + " HTTP port, which is 8161 by default",
                    e);
        }
        if (response.statusCode() / 100 != 2) {
            throw new IOException(
                    Printable.lines(
                            body.path("detail").asText(uri + ": status " + response.statusCode())));
        }
        return body;
    }

    private URI uri(String... segments) {
        StringBuilder path = new StringBuilder(url).append("/api/v1");
        for (String segment : segments) {
            path.append('/').append(encode(segment));
        }
        return URI.create(path.toString());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
