/// Settings: how text becomes a record of typed values.
///
/// [ConfigReader] fills a record of records from `section.key=value` pairs; the record's component
/// names are the keys. [ByteSize] is a number of bytes with a unit. Read once, at start.
/// [FileProblem] says what is wrong with a file.
@NullMarked
package winnow.broker.config;

import org.jspecify.annotations.NullMarked;
