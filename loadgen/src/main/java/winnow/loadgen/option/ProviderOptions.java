package winnow.loadgen.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import winnow.loadgen.worker.Provider;

/// Which broker is measured, through which provider.
public final class ProviderOptions {

    @Option(
            names = "--provider",
            paramLabel = "CLASS",
            defaultValue = Provider.WINNOW_FACTORY,
            description =
                    "ConnectionFactory with a constructor (String url), or with setProperty(String,"
                            + " String), for which the URL is name=value, joined by ';'; default:"
                            + " ${DEFAULT-VALUE}.")
    private String provider = Provider.WINNOW_FACTORY;

    @Mixin private final ConnectOptions connect = new ConnectOptions();

    @Option(
            names = "--classpath",
            paramLabel = "DIR",
            description =
                    "Directory with the jars of another provider; not for Winnow's own, which needs"
                            + " none.")
    private @Nullable Path classpath;

    /// @throws IllegalArgumentException if options contradict each other
    public Provider provider() {
        return connect.provider(provider);
    }

    public @Nullable Path jars() {
        return classpath;
    }
}
