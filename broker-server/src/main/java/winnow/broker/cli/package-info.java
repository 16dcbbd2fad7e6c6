/// Commands beside `winnow broker`: `winnow user` writes user files, `winnow selector` evaluates
/// and explains selectors without a broker.
@NullMarked
package winnow.broker.cli;

import org.jspecify.annotations.NullMarked;
