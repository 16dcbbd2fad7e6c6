/// The log: lines with time, level, thread and part of the broker, as text or as JSON.
///
/// [LogSetup] gives Logback its one output, the standard error, and changes levels and format at
/// run time as a [LogConfig] says. [LogLines] makes the lines. [winnow.wire.Printable] is for what
/// clients wrote.
@NullMarked
package winnow.broker.logging;

import org.jspecify.annotations.NullMarked;
