package winnow.broker.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import winnow.cli.Credentials;

/// The options of a command that asks a running broker's API.
final class BrokerAccess {
    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:WINNOW_HTTP_URL:-http://127.0.0.1:8161}",
            description = {
                "the broker's HTTP port (default: $$WINNOW_HTTP_URL, or"
                        + " http://127.0.0.1:8161); pub, sub and load have the port of clients"
                        + " instead ($$WINNOW_URL)",
                "https://HOST:PORT?trustStore=FILE trusts the certificates of FILE, PEM or"
                        + " PKCS#12 with trustStorePassword=TEXT; without it the JDK's are trusted."
                        + " verifyHost=false takes a certificate for any host, trustAll=true any"
                        + " certificate, for tests only. Several are joined by '&'."
            })
    private String url = "";

    @Mixin private final Credentials credentials = new Credentials();

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            description = "text (default) or json",
            defaultValue = "text")
    private SelectorCommand.Output output = SelectorCommand.Output.TEXT;

    /// The broker's HTTP port.
    String url() {
        return HttpUrl.parse(url).base();
    }

    boolean isJson() {
        return output == SelectorCommand.Output.JSON;
    }

    /// @throws IllegalArgumentException if URL or credentials cannot be used
    AdminClient client() {
        return new AdminClient(HttpUrl.parse(url), credentials.user(), credentials.password());
    }
}
