/// Commands beside `winnow broker`: `winnow user` changes users of a file or of a running broker,
/// `winnow selector` evaluates and explains selectors without a broker, `winnow explain`, `winnow
/// top`, `winnow queue`, `winnow subscription`, `winnow transaction` and `winnow backup` ask a
/// running broker ([BrokerAccess], [HttpUrl], [AdminClient]) by its HTTP port or its socket, and so
/// does `winnow health`, without a library. `winnow store` looks after the store of a broker that
/// does not run ([StoreCommand], [StoreAccess]).
@NullMarked
package winnow.broker.cli;

import org.jspecify.annotations.NullMarked;
