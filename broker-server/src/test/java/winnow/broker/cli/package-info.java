/// Tests of the commands beside `winnow broker`.
@NullMarked
package winnow.broker.cli;

import org.jspecify.annotations.NullMarked;
