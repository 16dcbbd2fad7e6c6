package winnow.tests.benchmark.rows;

import java.util.OptionalDouble;

/// Something else that answers workloads and that the index is compared with.
public interface Anchor {

    /// For a column's head.
    String name();

    /// @param reference knows the answers
    /// @return microseconds per message; nothing if it would take too long
    /// @throws Exception if it fails or gives a wrong answer
    OptionalDouble microsPerMessage(Workload workload, Evaluator reference) throws Exception;
}
