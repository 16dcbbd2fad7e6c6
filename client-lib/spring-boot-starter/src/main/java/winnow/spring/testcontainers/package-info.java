/// Connects to a broker that Testcontainers runs.
@NullMarked
package winnow.spring.testcontainers;

import org.jspecify.annotations.NullMarked;
