/// How long an event loop of a broker is held while it matches messages with very many selectors.
@NullMarked
package winnow.tests.benchmark.hold;

import org.jspecify.annotations.NullMarked;
