package winnow.loadgen.machine;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The machine and the Java runtime of a run. Immutable.
///
/// @param processor model name, empty if unknown
/// @param processors how many the JVM may use: in a container or by an affinity fewer than there
///   are
/// @param hostProcessors how many there are; null if unknown, as in files of versions that did not
///   say
/// @param memoryBytes physical memory, 0 if unknown
/// @param system operating system and its version
/// @param jvm Java runtime of coordinator and workers
public record Machine(
        String processor,
        int processors,
        @Nullable Integer hostProcessors,
        long memoryBytes,
        String system,
        String jvm) {

    private static final Path CPUINFO = Path.of("/proc/cpuinfo");

    /// The one this is.
    public static Machine current() {
        var memory = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                processorName(),
                Runtime.getRuntime().availableProcessors(),
                HostUse.processors(),
                memory.getTotalMemorySize(),
                "%s %s %s"
                        .formatted(
                                System.getProperty("os.name"),
                                System.getProperty("os.version"),
                                System.getProperty("os.arch")),
                "%s %s"
                        .formatted(
                                System.getProperty("java.vm.name"),
                                System.getProperty("java.runtime.version")));
    }

    /// All processors, of which the kernel tells the use.
    public int allProcessors() {
        return hostProcessors == null ? processors : Math.max(processors, hostProcessors);
    }

    /// As people say it: `2 processors` or `2 of 8 processors`.
    public String processorsText() {
        return processors < allProcessors()
                ? "%d of %d processors".formatted(processors, allProcessors())
                : "%d processors".formatted(processors);
    }

    private static String processorName() {
        if (!Files.isReadable(CPUINFO)) {
            return "";
        }
        try (var lines = Files.lines(CPUINFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("");
        } catch (IOException | UncheckedIOException unreadable) {
            return "";
        }
    }
}
