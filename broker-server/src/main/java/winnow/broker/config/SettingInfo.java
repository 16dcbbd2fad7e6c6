package winnow.broker.config;

/// A setting for people.
///
/// @param unit of the value: what is counted, or what forms it may have
/// @param range empty if it has none
/// @param zero what 0 stands for, empty if it stands for zero
/// @param defaultValue as it is read
/// @param effective the value in force, computed where the setting leaves that to the broker
/// @param reloadable whether a new value takes effect without a restart
/// @param secret whether nobody should read the value
public record SettingInfo(
        String key,
        String meaning,
        String unit,
        String range,
        String zero,
        String defaultValue,
        String effective,
        boolean reloadable,
        boolean secret) {
    /// True if the default is 0 and stands for something else than zero.
    public boolean defaultIsZero() {
        return !zero.isEmpty() && defaultValue.matches("0[A-Za-z]*");
    }

    /// Name of its environment variable.
    public String variable() {
        return EnvironmentSettings.variable(key);
    }
}
