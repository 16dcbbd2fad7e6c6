package winnow.broker.admin;

/// Page that a browser finds at `/`: links to everything else.
public final class StartPage {
    public static final String CONTENT_TYPE = "text/html; charset=utf-8";

    public static final String TEXT =
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Winnow</title>
            <h1>Winnow</h1>
            <ul>
            <li><a href="/health/ready">/health/ready</a>: whether the broker takes messages
            <li><a href="/health/live">/health/live</a>: whether the process answers
            <li><a href="/metrics">/metrics</a>: totals for Prometheus
            <li><a href="/metrics/detailed">/metrics/detailed</a>: topics and selectors one by one
            <li><a href="/api/v1/">/api/v1/</a>: queues, topics, connections, settings as JSON
            <li><a href="/api/v1/openapi.json">/api/v1/openapi.json</a>: the same for programs
            </ul>
            </html>
            """;

    private StartPage() {}
}
