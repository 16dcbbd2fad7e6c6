package winnow.loadgen;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.loadgen.worker.Provider;

/// Which broker is measured, through which provider.
final class ProviderOptions {

    @Option(
            names = "--provider",
            paramLabel = "CLASS",
            defaultValue = Provider.WINNOW_FACTORY,
            description =
                    "ConnectionFactory with a constructor (String url);"
                            + " default: ${DEFAULT-VALUE}.")
    private String provider = Provider.WINNOW_FACTORY;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = Provider.WINNOW_URL,
            description = "Where the broker listens; default: ${DEFAULT-VALUE}.")
    private String url = Provider.WINNOW_URL;

    @Option(
            names = "--classpath",
            paramLabel = "DIR",
            description =
                    "Directory with the jars of another provider; not for Winnow's own, which needs"
                            + " none.")
    private @Nullable Path classpath;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "",
            description = "User name, if the broker asks.")
    private String user = "";

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Password; never written to a report.")
    private String password = "";

    Provider provider() {
        return new Provider(provider, url, user, password);
    }

    @Nullable Path jars() {
        return classpath;
    }
}
