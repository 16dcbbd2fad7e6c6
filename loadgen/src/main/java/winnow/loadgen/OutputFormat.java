package winnow.loadgen;

import java.util.Locale;

/// How data is printed on standard output.
enum OutputFormat {
    /// For people.
    TEXT,
    /// For programs.
    JSON;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
