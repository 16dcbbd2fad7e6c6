/// Selectors of several components that are telling only together, the structures that a static
/// index could use at best, and the index beside them in one run.
@NullMarked
package winnow.tests.benchmark.rows;

import org.jspecify.annotations.NullMarked;
