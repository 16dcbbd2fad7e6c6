package winnow.broker.logging;

/// The form of a log's lines.
public enum LogFormat {
    /// For people.
    TEXT,
    /// An object of JSON in each line.
    JSON
}
