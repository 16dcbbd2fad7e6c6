package winnow.loadgen.option;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import winnow.cli.Credentials;
import winnow.loadgen.worker.Provider;

/// Which broker to connect to, and as whom.
public final class ConnectOptions {

    private final Map<String, String> environment;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "Where the broker listens, winnow://HOST:PORT, or several hosts with commas"
                            + " between them; default: $$WINNOW_URL, or "
                            + Provider.WINNOW_URL
                            + ".")
    private @Nullable String url;

    @Mixin private final Credentials credentials = new Credentials();

    public ConnectOptions() {
        this(System.getenv());
    }

    /// @param environment where `WINNOW_URL` may be
    public ConnectOptions(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /// Winnow's own.
    public Provider provider() {
        return provider(Provider.WINNOW_FACTORY);
    }

    /// @param factoryClass of any provider; one that is not Winnow's needs a URL of its own
    /// @throws IllegalArgumentException if options contradict each other
    public Provider provider(String factoryClass) {
        var ofWinnow = factoryClass.equals(Provider.WINNOW_FACTORY);
        if (url == null && !ofWinnow) {
            throw new IllegalArgumentException(
                    "expected --url with --provider " + factoryClass + ", found none");
        }
        return new Provider(
                factoryClass,
                url == null ? environment.getOrDefault("WINNOW_URL", Provider.WINNOW_URL) : url,
                credentials.user(),
                credentials.password());
    }
}
