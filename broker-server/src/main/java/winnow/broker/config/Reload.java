package winnow.broker.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Outcome of reading settings again while the broker runs.
///
/// @param config with the new values that take effect, and the old ones that need a restart
/// @param changed what takes effect
/// @param needsRestart what does not
public record Reload<R extends Record>(R config, List<Change> changed, List<Change> needsRestart) {
    /// A setting with its values as they are read.
    public record Change(String key, String from, String to) {
        @Override
        public String toString() {
            return key + "=" + to;
        }
    }

    public Reload {
        changed = List.copyOf(changed);
        needsRestart = List.copyOf(needsRestart);
    }

    /// Compares the settings in force with those that were read now.
    public static <R extends Record> Reload<R> of(R current, R next) {
        Map<String, String> before = ConfigReader.keys(current);
        Map<String, String> after = ConfigReader.keys(next);
        Map<String, String> taken = new LinkedHashMap<>();
        List<Change> changed = new ArrayList<>();
        List<Change> needsRestart = new ArrayList<>();
        for (SettingInfo info : ConfigReader.describe(current, next)) {
            String from = before.getOrDefault(info.key(), "");
            String to = after.getOrDefault(info.key(), "");
            if (from.equals(to)) {
                continue;
            }
            Change change =
                    info.secret()
                            ? new Change(info.key(), info.effective(), info.effective())
                            : new Change(info.key(), from, to);
            if (info.reloadable()) {
                changed.add(change);
                taken.put(info.key(), to);
            } else {
                needsRestart.add(change);
            }
        }
        return new Reload<>(ConfigReader.read(current, taken), changed, needsRestart);
    }
}
