package winnow.tests.crash;

import java.nio.file.Path;
import java.util.List;

/// The place where the process of a broker runs.
///
/// @param host where it is reached
/// @param command in front of that of the virtual machine, such as one that enters a network
///   namespace
/// @param directory of its messages
/// @param log where it writes what it has to say
/// @param settings of a broker there, as `key=value`
record NodePlace(
        String host, List<String> command, Path directory, Path log, List<String> settings) {
    private static final String LOOPBACK = "127.0.0.1";

    /// This machine.
    static NodePlace local(Path directory) {
        Path log = directory.resolveSibling(directory.getFileName() + ".log");
        return new NodePlace(LOOPBACK, List.of(), directory, log, List.of());
    }
}
