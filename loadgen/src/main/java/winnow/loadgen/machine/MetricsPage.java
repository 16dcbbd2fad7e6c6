package winnow.loadgen.machine;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A broker's metrics in Prometheus' text form. Used by one thread.
final class MetricsPage {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /// A page of a broker with thousands of queues has a few of them.
    private static final long MOST_BYTES = 64 << 20;

    private final URI address;
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    MetricsPage(URI address) {
        this.address = address;
    }

    URI address() {
        return address;
    }

    /// The text as it is now.
    String read() throws IOException {
        if (address.getPath().replace("/", "").isEmpty()) {
            throw new IOException(
                    "expected the page with the metrics, such as %s, found %s"
                            .formatted(address.resolve("/metrics"), address));
        }
        var page = answer(address);
        if (page.statusCode() != 200) {
            throw new IOException(
                    "expected metrics at %s, found status %d"
                            .formatted(address, page.statusCode()));
        }
        return page.body();
    }

    /// The metrics of a topic, which a broker of Winnow shows on a page of their own. Empty if
    /// there is no such page, or it demands credentials.
    String readTopic(String topic) throws IOException {
        var query = "/detailed?topic=" + URLEncoder.encode(topic, StandardCharsets.UTF_8);
        var page = answer(URI.create(address + query));
        return page.statusCode() == 200 ? page.body() : "";
    }

    private HttpResponse<String> answer(URI address) throws IOException {
        var request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
        try {
            return http.send(
                    request,
                    HttpResponse.BodyHandlers.limiting(
                            HttpResponse.BodyHandlers.ofString(), MOST_BYTES));
        } catch (IOException silent) {
            throw new IOException("expected metrics at " + address + ", found no answer", silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading " + address, interrupted);
        }
    }
}
