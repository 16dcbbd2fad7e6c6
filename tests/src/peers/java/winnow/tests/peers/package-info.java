/// Other brokers, started as plain as possible, for comparisons in the same run on the same machine.
///
/// Each main takes a port (0 for a free one), keeps its store in a temporary directory, prints
/// `peer ready: HOST:PORT` once it accepts connections, and ends cleanly at SIGTERM. Security is
/// off; everything else is as the broker comes.
@NullMarked
package winnow.tests.peers;

import org.jspecify.annotations.NullMarked;
