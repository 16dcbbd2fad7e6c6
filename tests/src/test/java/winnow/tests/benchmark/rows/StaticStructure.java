package winnow.tests.benchmark.rows;

import java.util.function.IntConsumer;

/// Finds the selectors of a workload as fast as can be where none comes or goes while messages are
/// matched. Used by one thread.
interface StaticStructure {

    /// @param values of a message by attribute, as [Message#value] tells them
    /// @param sink is called with the number of each selector that is true, once
    void match(int[] values, IntConsumer sink);

    /// Takes a selector out that is there.
    ///
    /// @param selector number of it
    void remove(int selector);

    /// Puts one back that was taken out.
    void add(int selector);

    /// The fastest one for the workload.
    static StaticStructure of(Workload workload) {
        if (workload.row() == Row.SYMBOL_AND_RANGE) {
            return new SortedColumns(workload.selectors());
        }
        return new StaticBitmaps(workload.selectors(), workload.messages(), workload.row());
    }
}
