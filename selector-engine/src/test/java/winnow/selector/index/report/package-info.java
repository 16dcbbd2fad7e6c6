/// Tests of what is reported of selectors.
@NullMarked
package winnow.selector.index.report;

import org.jspecify.annotations.NullMarked;
