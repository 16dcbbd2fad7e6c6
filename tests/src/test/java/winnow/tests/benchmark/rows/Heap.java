package winnow.tests.benchmark.rows;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/// What the heap holds. Stateless.
final class Heap {
    private static final int STRING_BYTES = 24;
    private static final int ARRAY_HEADER_BYTES = 12;
    private static final int ALIGNMENT = 8;

    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

    /// "Total", the number of objects, and their bytes.
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");

    private Heap() {}

    /// Bytes of the objects that are in use. They are counted one by one, because after a full
    /// collection a heap may hold megabytes of garbage still.
    static long usedBytes() {
        String histogram;
        try {
            histogram =
                    (String)
                            ManagementFactory.getPlatformMBeanServer()
                                    .invoke(
                                            new ObjectName(COMMANDS),
                                            "gcClassHistogram",
                                            new Object[] {new String[0]},
                                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("no histogram of the heap", e);
        }
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IllegalStateException("no total in the histogram of the heap");
        }
        return Long.parseLong(total.group(1));
    }

    /// What a string of Latin letters takes, with compact headers of objects.
    static long bytesOf(String latin) {
        return STRING_BYTES + align(ARRAY_HEADER_BYTES + latin.length());
    }

    private static long align(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
