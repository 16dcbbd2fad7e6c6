/// What the index is compared with in the workloads of [winnow.tests.benchmark.rows], besides
/// static structures: the evaluators of other brokers, Lucene Monitor, the A-Tree and BE-Tree.
@NullMarked
package winnow.tests.benchmark.anchors;

import org.jspecify.annotations.NullMarked;
