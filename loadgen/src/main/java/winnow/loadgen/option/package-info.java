/// Options that commands of the load generator share, their values, and how their results are
/// printed.
@NullMarked
package winnow.loadgen.option;

import org.jspecify.annotations.NullMarked;
