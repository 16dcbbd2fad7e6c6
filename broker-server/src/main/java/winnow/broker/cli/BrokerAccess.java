package winnow.broker.cli;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import winnow.broker.config.SmallFile;
import winnow.cli.Credentials;
import winnow.wire.bearer.BearerMessage;

/// The options of a command that asks a running broker's API.
final class BrokerAccess {
    /// More than a header of HTTP may have.
    private static final int MAX_TOKEN_BYTES = 64 * 1024;

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
            names = "--token-file",
            paramLabel = "FILE",
            defaultValue = "${env:WINNOW_TOKEN_FILE:-}",
            description =
                    "file with a bearer token in place of user and password; default:"
                            + " $$WINNOW_TOKEN_FILE")
    private String tokenFile = "";

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
        if (tokenFile.isEmpty()) {
            return new AdminClient(HttpUrl.parse(url), credentials.user(), credentials.password());
        }
        if (!credentials.user().isEmpty()) {
            throw new IllegalArgumentException(
                    "expected --user ($WINNOW_USER) or --token-file ($WINNOW_TOKEN_FILE), found"
                            + " both");
        }
        HttpUrl target = HttpUrl.parse(url);
        if (!target.isConfidential()) {
            throw new IllegalArgumentException(
                    "--token-file: expected https:// in --url, because others could read the token"
                            + " on its way, found '"
                            + target.base()
                            + "'");
        }
        return AdminClient.withToken(target, token());
    }

    private String token() {
        String text;
        try {
            text = SmallFile.read(Path.of(tokenFile), MAX_TOKEN_BYTES).strip();
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("--token-file: " + e.getMessage(), e);
        }
        if (!BearerMessage.isToken(text)) {
            throw new IllegalArgumentException(
                    "--token-file: %s: expected a token of letters, digits and the characters - ."
                                    .formatted(tokenFile)
                            + " _ ~ + / and =, found "
                            + (text.isEmpty() ? "nothing" : "something else"));
        }
        return text;
    }
}
