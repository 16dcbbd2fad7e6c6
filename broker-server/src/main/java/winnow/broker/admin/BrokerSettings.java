package winnow.broker.admin;

import java.io.IOException;
import java.util.List;
import winnow.broker.config.Reload.Change;

/// The broker's settings, for the API.
public interface BrokerSettings {
    /// A setting.
    ///
    /// @param value in force
    /// @param source where it is from
    record Setting(
            String key,
            String value,
            String source,
            String defaultValue,
            String unit,
            String meaning,
            boolean reloadable) {}

    /// Result of reading the settings again.
    ///
    /// @param users names in the user file, 0 if clients need no credentials
    /// @param permissions that were added and removed, for people
    record Reloaded(
            List<Change> changed, List<Change> needsRestart, int users, String permissions) {
        public Reloaded {
            changed = List.copyOf(changed);
            needsRestart = List.copyOf(needsRestart);
        }
    }

    /// The settings in force.
    List<Setting> settings();

    /// The users, which are read again with the settings.
    BrokerUsers users();

    /// Reads them again.
    ///
    /// @param guard called when its turn has come, before anything is read; throws to change
    ///   nothing
    /// @throws IllegalArgumentException saying what is wrong with them
    /// @throws IOException if a file cannot be read
    Reloaded reload(Runnable guard) throws IOException;
}
