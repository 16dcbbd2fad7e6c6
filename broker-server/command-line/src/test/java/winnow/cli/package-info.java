/// Tests of what the commands share.
@NullMarked
package winnow.cli;

import org.jspecify.annotations.NullMarked;
