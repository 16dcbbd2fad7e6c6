package winnow.loadgen.option;

import java.util.Locale;

/// Format of data on standard output.
public enum OutputFormat {
    /// For people.
    TEXT,
    /// For programs.
    JSON;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
