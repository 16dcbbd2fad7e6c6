package winnow.loadgen.option;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.loadgen.worker.Provider;

/// Options for the broker of commands that send and receive in this process.
public final class RateProvider {

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Mixin private final ProviderOptions options = new ProviderOptions();

    /// The provider, whose classes this thread finds from now on.
    ///
    /// @throws ParameterException if options contradict each other
    public Provider provider() {
        try {
            var chosen = options.provider();
            var jars = options.jars();
            if (jars != null) {
                Thread.currentThread().setContextClassLoader(ProviderJars.loader(jars));
            }
            return chosen;
        } catch (IllegalArgumentException misused) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    String.valueOf(misused.getMessage()));
        }
    }
}
