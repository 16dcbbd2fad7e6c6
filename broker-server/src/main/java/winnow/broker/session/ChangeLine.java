package winnow.broker.session;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/// Comments of a user file that say when a user's password was set: `# changed: TIME NAME`.
final class ChangeLine {
    private static final String BEGIN = "# changed: ";

    private ChangeLine() {}

    /// The comment for a password that is set now.
    static String now(String user) {
        return BEGIN + Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + user;
    }

    /// True if a line is the comment about this user.
    static boolean isOf(String line, String user) {
        return line.startsWith(BEGIN) && user.equals(user(line));
    }

    private static String user(String line) {
        return line.substring(line.indexOf(' ', BEGIN.length()) + 1).strip();
    }

    /// Puts the time that a line has into the map. Any other line, also one that was spoilt by
    /// hand, is passed over, because it is a comment.
    static void read(String line, Map<String, Instant> times) {
        int end = line.indexOf(' ', BEGIN.length());
        if (!line.startsWith(BEGIN) || end < 0) {
            return;
        }
        try {
            times.put(user(line), Instant.parse(line.substring(BEGIN.length(), end)));
        } catch (DateTimeException _) {
            // The time is unknown.
        }
    }
}
