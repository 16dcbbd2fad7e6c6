/// The commands `winnow load` and `winnow demo`: [CommandTree] has them all.
@NullMarked
package winnow.loadgen.command;

import org.jspecify.annotations.NullMarked;
