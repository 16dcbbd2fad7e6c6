@NullMarked
package winnow.loadgen.provider;

import org.jspecify.annotations.NullMarked;
