@NullMarked
package winnow.spring;

import org.jspecify.annotations.NullMarked;
