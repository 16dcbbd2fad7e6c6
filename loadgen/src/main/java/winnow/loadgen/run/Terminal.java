package winnow.loadgen.run;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The terminal of this process, as far as Linux tells.
final class Terminal {

    private static final int USUAL_COLUMNS = 80;

    private Terminal() {}

    /// True if standard error output is one.
    static boolean isErrorOutput() {
        var stderr = Path.of("/proc/self/fd/2");
        try {
            var target = Files.readSymbolicLink(stderr).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException notLinux) {
            return false;
        }
    }

    /// Its width in columns now; 80 if that cannot be told. Runs a process of a few milliseconds.
    static int columns() {
        try {
            var process =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(new File("/dev/tty"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            var size = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            var columns = Integer.parseInt(size.strip().split(" ", -1)[1]);
            return columns > 0 ? columns : USUAL_COLUMNS;
        } catch (IOException | RuntimeException unknown) {
            return USUAL_COLUMNS;
        }
    }
}
