package winnow.loadgen.machine;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.stream.IntStream;

/// The processors that this process may use, and a thread's tie to one of them: Linux's
/// sched_getaffinity(2) and sched_setaffinity(2). Elsewhere threads run where they like.
final class Processors {

    /// Bytes of a mask: 1,024 processors, as glibc's cpu_set_t.
    private static final int MASK_BYTES = 128;

    private static final FunctionDescriptor AFFINITY =
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.ADDRESS);

    private Processors() {}

    /// Their numbers; without Linux one for each that Java knows of.
    static List<Integer> allowed() {
        var unknown =
                IntStream.range(0, Runtime.getRuntime().availableProcessors()).boxed().toList();
        if (!available()) {
            return unknown;
        }
        try (var arena = Arena.ofConfined()) {
            var mask = arena.allocate(MASK_BYTES);
            if (call("sched_getaffinity", mask) < 0) {
                return unknown;
            }
            return IntStream.range(0, MASK_BYTES * Byte.SIZE)
                    .filter(cpu ->
                            (mask.get(ValueLayout.JAVA_BYTE, cpu / Byte.SIZE) >> cpu % Byte.SIZE
                                            & 1)
                                    != 0)
                    .boxed()
                    .toList();
        }
    }

    /// Ties the calling thread to a processor; without effect where that is not possible.
    static void bindThread(int processor) {
        if (!available()) {
            return;
        }
        try (var arena = Arena.ofConfined()) {
            var mask = arena.allocate(MASK_BYTES);
            mask.set(
                    ValueLayout.JAVA_BYTE,
                    processor / Byte.SIZE,
                    (byte) (1 << processor % Byte.SIZE));
            call("sched_setaffinity", mask);
        }
    }

    private static boolean available() {
        return Processors.class.getModule().isNativeAccessEnabled()
                && System.getProperty("os.name").equals("Linux");
    }

    /// For the calling thread, which is 0.
    @SuppressWarnings("restricted")
    private static int call(String function, MemorySegment mask) {
        var linker = Linker.nativeLinker();
        MethodHandle handle =
                linker.downcallHandle(
                        linker.defaultLookup().find(function).orElseThrow(), AFFINITY);
        try {
            return (int) handle.invokeExact(0, (long) MASK_BYTES, mask);
        } catch (Throwable impossible) {
            throw new IllegalStateException(function, impossible);
        }
    }
}
