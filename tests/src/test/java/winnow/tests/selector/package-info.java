/// The selector engine against the selector evaluators of other brokers.
@NullMarked
package winnow.tests.selector;

import org.jspecify.annotations.NullMarked;
