/// The cost to others of consumers that hang: [HungConsumersBenchmark] is the program.
@NullMarked
package winnow.tests.hung;

import org.jspecify.annotations.NullMarked;
