/// Compares the results of two runs, point by point.
///
/// [StoredResults] reads a directory, [PointRatio] is one point of both, [ResultDiff] all of them.
@NullMarked
package winnow.loadgen.diff;

import org.jspecify.annotations.NullMarked;
