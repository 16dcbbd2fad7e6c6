package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Reads the pages of a broker's HTTP port.
final class BrokerPages {
    private static final String CONTENT_TYPE = "Content-Type";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private BrokerPages() {}

    static HttpResponse<String> get(Broker broker, String path) throws IOException {
        return send(HttpRequest.newBuilder(uri(broker, path)).build());
    }

    static HttpResponse<String> get(Broker broker, String path, String user, String password)
            throws IOException {
        byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return getWith(broker, path, "Basic " + Base64.getEncoder().encodeToString(credentials));
    }

    static HttpResponse<String> getWith(Broker broker, String path, String authorization)
            throws IOException {
        return send(
                HttpRequest.newBuilder(uri(broker, path))
                        .header("Authorization", authorization)
                        .build());
    }

    /// @param headers names and values
    static HttpResponse<String> post(Broker broker, String path, String... headers)
            throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri(broker, path))
                        .POST(HttpRequest.BodyPublishers.ofString("x"));
        return send(headers.length == 0 ? request.build() : request.headers(headers).build());
    }

    static HttpResponse<String> delete(Broker broker, String path, String... headers)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(broker, path)).DELETE();
        return send(headers.length == 0 ? request.build() : request.headers(headers).build());
    }

    /// @param headers names and values
    static HttpResponse<String> put(Broker broker, String path, String body, String... headers)
            throws IOException {
        return send(broker, "PUT", path, body, headers);
    }

    /// @param headers names and values
    static HttpResponse<String> send(
            Broker broker, String method, String path, String body, String... headers)
            throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri(broker, path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!List.of(headers).contains(CONTENT_TYPE)) {
            request.header(CONTENT_TYPE, "application/json");
        }
        return send(headers.length == 0 ? request.build() : request.headers(headers).build());
    }

    private static URI uri(Broker broker, String path) {
        return URI.create("http://127.0.0.1:" + broker.httpAddress().getPort() + path);
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /// The value of a metric, given with its labels if it has some.
    static OptionalDouble metric(Broker broker, String name) throws IOException {
        return get(broker, name.contains("topic=") ? "/metrics/detailed" : "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst();
    }

    static void awaitMetric(Broker broker, String name, double expected) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        OptionalDouble value = metric(broker, name);
        while (!value.equals(OptionalDouble.of(expected)) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            value = metric(broker, name);
        }
        assertThat(value).as(name).hasValue(expected);
    }
}
