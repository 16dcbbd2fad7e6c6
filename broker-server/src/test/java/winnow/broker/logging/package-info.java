/// Tests of the log's lines.
@NullMarked
package winnow.broker.logging;

import org.jspecify.annotations.NullMarked;
