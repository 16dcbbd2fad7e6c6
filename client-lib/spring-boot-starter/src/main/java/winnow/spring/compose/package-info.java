/// Connects to a broker that Docker Compose runs.
@NullMarked
package winnow.spring.compose;

import org.jspecify.annotations.NullMarked;
