package winnow.loadgen.workload;

import java.util.List;

/// Combinations of matching and other subscribers. Immutable.
///
/// @param matching the values of r
/// @param others the values of n, each combined with each r
/// @param heldOut combinations, inside or outside the product, that are measured but not fitted
public record Grid(List<Integer> matching, List<Integer> others, List<Combination> heldOut) {

    /// @param matching r
    /// @param others n
    public record Combination(int matching, int others) {}

    public Grid {
        matching = List.copyOf(matching);
        others = List.copyOf(others);
        heldOut = List.copyOf(heldOut);
    }
}
