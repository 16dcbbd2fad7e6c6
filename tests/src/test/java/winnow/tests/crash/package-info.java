/// Brokers whose processes are killed, stopped for a while, or run out of disk, under real clients:
/// nothing that was acknowledged is lost, and nothing comes twice without a mark.
///
/// `tests/crash` runs more of it than the build does.
@NullMarked
package winnow.tests.crash;

import org.jspecify.annotations.NullMarked;
