package winnow.loadgen;

import picocli.CommandLine.Option;
import winnow.loadgen.worker.Provider;

/// Which Winnow broker to connect to.
final class ConnectOptions {

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = Provider.WINNOW_URL,
            description = "Where the broker listens; default: ${DEFAULT-VALUE}.")
    private String url = Provider.WINNOW_URL;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "",
            description = "User name, if the broker asks.")
    private String user = "";

    @Option(names = "--password", paramLabel = "TEXT", defaultValue = "", description = "Password.")
    private String password = "";

    Provider provider() {
        return new Provider(Provider.WINNOW_FACTORY, url, user, password);
    }
}
