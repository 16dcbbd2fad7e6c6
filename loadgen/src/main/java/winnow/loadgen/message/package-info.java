/// The commands that send and receive single messages: `winnow pub` and `winnow sub`.
@NullMarked
package winnow.loadgen.message;

import org.jspecify.annotations.NullMarked;
