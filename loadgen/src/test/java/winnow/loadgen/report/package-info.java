/// Tests of the fit of a whole run and of its page.
@NullMarked
package winnow.loadgen.report;

import org.jspecify.annotations.NullMarked;
