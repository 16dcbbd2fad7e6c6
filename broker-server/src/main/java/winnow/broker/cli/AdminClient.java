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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
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

    /// True if the broker has asked for credentials.
    private boolean asked;

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

    private HttpClient client() throws IOException {
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        return url.startsWith("https:") ? client.sslContext(target.tls()).build() : client.build();
    }

    /// Password or token goes in clear text only to a broker that has asked for it: one that
    /// refuses it says so first.
    private HttpResponse<String> answer(HttpClient client, String method, URI uri)
            throws IOException {
        if (!authorization.isEmpty() && !asked && !confidential) {
            HttpResponse<String> without = send(client, method, uri, false);
            if (without.statusCode() != UNAUTHORIZED) {
                return without;
            }
            asked = true;
        }
        return send(client, method, uri, !authorization.isEmpty());
    }

    private HttpResponse<String> send(
            HttpClient client, String method, URI uri, boolean authorized) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri)
                        .timeout(TIMEOUT)
                        .method(method, HttpRequest.BodyPublishers.noBody());
        if (authorized) {
            request.header("Authorization", authorization);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new IOException(
                    "cannot connect to "
                            + url
                            + ": is the broker running? './winnow broker' starts one; --url or"
                            + " WINNOW_HTTP_URL names another's HTTP port",
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

    /// Whether the first line of the answer is none of HTTP; the JDK shows its bytes, which may
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
                            + " or $WINNOW_TOKEN_FILE");
        }
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
        if (response.statusCode() != 200) {
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
