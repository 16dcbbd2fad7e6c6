/// Bodies of many mebibytes on their way through a broker, beside a plain relay:
/// [LargeBodiesBenchmark] is the program, [BodyRelay] what it is compared with.
@NullMarked
package winnow.tests.bodies;

import org.jspecify.annotations.NullMarked;
