/// The first seconds of a broker, by `tests/young`.
@NullMarked
package winnow.tests.young;

import org.jspecify.annotations.NullMarked;
