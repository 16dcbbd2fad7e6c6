package winnow.loadgen.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/// A broker's metrics in Prometheus' text form. Used by one thread.
final class MetricsPage {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

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
        var request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
        try {
            var page = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (page.statusCode() != 200) {
                throw new IOException(address + " answered " + page.statusCode());
            }
            return page.body();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading " + address, interrupted);
        }
    }
}
