package winnow.loadgen.option;

import java.util.ArrayList;
import java.util.List;

/// A command line as it may be written to a report.
public final class SavedCommand {

    private static final String PASSWORD = "--password";

    private SavedCommand() {}

    /// Joins the arguments; the password is left out.
    public static String of(List<String> arguments) {
        var kept = new ArrayList<String>();
        kept.add("winnow");
        var secret = false;
        for (var argument : arguments) {
            if (secret) {
                kept.add("***");
            } else if (argument.startsWith(PASSWORD + "=")) {
                kept.add(PASSWORD + "=***");
            } else {
                kept.add(quoted(argument));
            }
            secret = argument.equals(PASSWORD);
        }
        return String.join(" ", kept);
    }

    /// For a POSIX shell, where it needs to be.
    public static String quoted(String argument) {
        return argument.matches("[\\w@%+=:,./-]+")
                ? argument
                : "'" + argument.replace("'", "'\\''") + "'";
    }
}
