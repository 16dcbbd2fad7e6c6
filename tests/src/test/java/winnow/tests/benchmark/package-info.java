/// JMH benchmarks of the selector engine, run by `tests/jmh`. Each compares, in one run, the index
/// and the linear evaluation of Winnow with the selector evaluators of other brokers.
@NullMarked
package winnow.tests.benchmark;

import org.jspecify.annotations.NullMarked;
