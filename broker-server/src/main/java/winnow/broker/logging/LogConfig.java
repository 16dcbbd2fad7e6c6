package winnow.broker.logging;

import org.slf4j.event.Level;
import winnow.broker.config.Setting;

/// Settings of the log: which lines it has, and in which form.
public record LogConfig(
        @Setting(value = "form of the lines on the standard error", reloadable = true)
                LogFormat format,
        @Setting(value = "the least level of the broker's lines that are logged", reloadable = true)
                Level level,
        @Setting(
                        value =
                                "`log.level` for parts of the broker or for libraries;"
                                        + " libraries without one log from warn on",
                        unit =
                                "NAME=LEVEL, joined by commas, such as"
                                        + " winnow.broker.session=debug",
                        reloadable = true)
                LogLevels levels) {
    public static final LogConfig DEFAULTS =
            new LogConfig(LogFormat.TEXT, Level.INFO, LogLevels.NONE);
}
