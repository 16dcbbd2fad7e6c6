package winnow.client.option;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/// Names of this program and its machine, so that people recognise a connection. Looked up once.
public final class LocalNames {
    private static final String PROGRAM = program(System.getProperty("sun.java.command", ""));
    private static final String HOST = lookUpHost();

    private LocalNames() {}

    /// The main class without its package, or the jar that was started without its ending; empty if
    /// that is not known. For a class `Main`, which says nothing, the last part of its package.
    public static String program() {
        return PROGRAM;
    }

    /// The name of this machine, empty if it has none.
    public static String host() {
        return HOST;
    }

    /// @param command class or jar, and arguments, which nobody is told
    public static String program(String command) {
        String started = command.split(" ", 2)[0];
        String name =
                started.substring(
                        Math.max(started.lastIndexOf('/'), started.lastIndexOf('\\')) + 1);
        if (name.endsWith(".jar")) {
            return name.substring(0, name.length() - ".jar".length());
        }
        String named = name.endsWith(".Main") ? name.substring(0, name.lastIndexOf('.')) : name;
        return named.substring(named.lastIndexOf('.') + 1);
    }

    /// Asks the system before the resolver, which may take long.
    private static String lookUpHost() {
        try {
            Path kernel = Path.of("/proc/sys/kernel/hostname");
            return Files.isReadable(kernel)
                    ? Files.readString(kernel).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "";
        }
    }
}
