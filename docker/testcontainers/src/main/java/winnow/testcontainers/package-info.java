/// A Winnow broker for the tests of applications.
///
/// [WinnowContainer] runs the image `winnow/broker` by Testcontainers and says where it is.
@NullMarked
package winnow.testcontainers;

import org.jspecify.annotations.NullMarked;
