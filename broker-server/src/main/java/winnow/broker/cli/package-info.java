/// Commands beside `winnow broker`: `winnow user` writes user files, `winnow selector` evaluates
/// and explains selectors without a broker, `winnow explain` and `winnow top` ask a running broker
/// ([BrokerAccess], [HttpUrl], [AdminClient]), and so does `winnow health`, without a library.
@NullMarked
package winnow.broker.cli;

import org.jspecify.annotations.NullMarked;
