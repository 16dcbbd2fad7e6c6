package winnow.broker.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import winnow.broker.config.SmallFile;
import winnow.broker.transport.SocketClient;
import winnow.cli.Credentials;
import winnow.wire.bearer.BearerMessage;

/// The options of a command that asks a running broker's API.
final class BrokerAccess {
    /// More than a header of HTTP may have.
    private static final int MAX_TOKEN_BYTES = 64 * 1024;

    private static final String DEFAULT_URL = "http://127.0.0.1:8161";
    private static final String SOCKET = "--socket";

    /// Options that make no sense with a socket.
    private static final List<String> OF_PORT =
            List.of("--url", "--user", "--password-file", "--password", "--token-file");

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:WINNOW_HTTP_URL:-}",
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

    @Option(
            names = SOCKET,
            paramLabel = "PATH",
            defaultValue = "${env:WINNOW_HTTP_SOCKET:-}",
            description =
                    "the socket of a broker on this machine (http.socket), or the directory of"
                            + " its files (--data); it needs no credentials, but the broker's"
                            + " account or root. Default: $$WINNOW_HTTP_SOCKET, if that can be"
                            + " used and neither a URL nor an option with credentials is given")
    private String socket = "";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

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

    /// Place of the broker for people.
    String place() {
        return usesSocket() ? socketFile().toString() : target().base();
    }

    private HttpUrl target() {
        return HttpUrl.parse(url.isEmpty() ? DEFAULT_URL : url);
    }

    boolean isJson() {
        return output == SelectorCommand.Output.JSON;
    }

    /// Asks by the socket if one is named; by that of the environment if it answers and nothing
    /// else is named; else by the HTTP port.
    ///
    /// @throws IllegalArgumentException if URL or credentials cannot be used
    /// @throws IOException if the socket that an option names cannot be used
    AdminClient client() throws IOException {
        if (!usesSocket()) {
            return portClient();
        }
        SocketClient client = new SocketClient(socketFile());
        try {
            client.connect();
            return AdminClient.bySocket(client);
        } catch (IOException e) {
            String failure = client.socket() + ": " + reason(e);
            if (isGiven(SOCKET)) {
                throw new IOException(failure, e);
            }
            return portClient().after(failure);
        }
    }

    private boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private boolean usesSocket() {
        Optional<String> ofPort = OF_PORT.stream().filter(this::isGiven).findFirst();
        if (socket.isEmpty()) {
            return false;
        }
        if (!isGiven(SOCKET)) {
            return ofPort.isEmpty() && url.isEmpty();
        }
        if (ofPort.isPresent()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "expected --socket, which needs no credentials, or "
                            + ofPort.get()
                            + " for the HTTP port, found both");
        }
        return true;
    }

    private Path socketFile() {
        Path file = Path.of(socket);
        return Files.isDirectory(file) ? file.resolve("admin.sock") : file;
    }

    private static String reason(IOException failure) {
        String reason = String.valueOf(failure.getMessage());
        return switch (reason) {
            case "No such file or directory" -> "there is none; is a broker running there?";
            case "Connection refused" -> "no broker listens there";
            case "Permission denied" ->
                    "permission denied: the broker's account and root may use it";
            default -> reason;
        };
    }

    private AdminClient portClient() {
        HttpUrl target = target();
        if (tokenFile.isEmpty()) {
            return new AdminClient(target, credentials.user(), credentials.password());
        }
        if (!credentials.user().isEmpty()) {
            throw new IllegalArgumentException(
                    "expected --user ($WINNOW_USER) or --token-file ($WINNOW_TOKEN_FILE), found"
                            + " both");
        }
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
