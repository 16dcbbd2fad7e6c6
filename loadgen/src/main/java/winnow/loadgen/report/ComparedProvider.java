package winnow.loadgen.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import winnow.loadgen.provider.ProviderFile;
import winnow.loadgen.run.Run;

/// One of several providers that are measured side by side. Immutable.
///
/// @param file says how it was run
/// @param runs of the scenarios, as far as it has points of them
/// @param problems why there are less, in sentences
public record ComparedProvider(
        @JsonIgnore ProviderFile file, @JsonIgnore List<Run> runs, List<String> problems) {

    public ComparedProvider {
        runs = List.copyOf(runs);
        problems = List.copyOf(problems);
    }

    /// Its name in tables.
    @JsonProperty
    public String name() {
        return file.name();
    }
}
