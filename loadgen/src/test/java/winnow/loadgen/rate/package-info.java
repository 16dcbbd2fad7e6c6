@NullMarked
package winnow.loadgen.rate;

import org.jspecify.annotations.NullMarked;
