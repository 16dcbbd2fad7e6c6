/// The conformance suite of Joram, as ActiveMQ publishes it.
@NullMarked
package winnow.tests.joram;

import org.jspecify.annotations.NullMarked;
