/// Warnings of the client: to the application's log, or, where it has none, to the standard error.
@NullMarked
package winnow.client.log;

import org.jspecify.annotations.NullMarked;
