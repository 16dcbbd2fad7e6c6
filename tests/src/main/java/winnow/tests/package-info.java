/// Programs and tests across modules. `winnow.tests.floor` measures the broker against a bare
/// relay; the tests beside it drive real brokers with real clients.
@NullMarked
package winnow.tests;

import org.jspecify.annotations.NullMarked;
