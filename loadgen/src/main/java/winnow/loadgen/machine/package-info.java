/// Resources that a measured process and its machine use: processors, threads, network, and the
/// broker's own metrics.
@NullMarked
package winnow.loadgen.machine;

import org.jspecify.annotations.NullMarked;
