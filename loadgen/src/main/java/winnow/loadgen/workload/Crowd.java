package winnow.loadgen.workload;

/// How the subscribers are set up whose filters do not match. Immutable.
///
/// @param identicalFilters whether all of them search for the same value
/// @param connections how many connections they share; 0 for one each, as in the paper
public record Crowd(boolean identicalFilters, int connections) {

    /// A connection and a value each.
    public static final Crowd SEPARATE = new Crowd(false, 0);

    public Crowd {
        if (connections < 0) {
            throw new IllegalArgumentException("expected connections >= 0, found " + connections);
        }
    }
}
