package winnow.loadgen.option;

import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import winnow.loadgen.workload.Scenario;
import winnow.loadgen.workload.Scenarios;

/// Scenarios on the command line, by name.
public final class ScenarioName implements ITypeConverter<Scenario>, Iterable<String> {

    @Override
    public Scenario convert(String name) {
        try {
            return Scenarios.named(name);
        } catch (IllegalArgumentException unknown) {
            throw new TypeConversionException(String.valueOf(unknown.getMessage()));
        }
    }

    /// For help texts and completion.
    @Override
    public Iterator<String> iterator() {
        return Scenarios.names().iterator();
    }
}
