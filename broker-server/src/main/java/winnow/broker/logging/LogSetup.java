package winnow.broker.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;

/// Sets the log up without a file of Logback's own: found by Logback as a service at the first log
/// line, and called again when settings change. Thread-safe.
public final class LogSetup extends ContextAwareBase implements Configurator {
    static final String OUR_LOGGERS = "winnow";

    /// The engine of a cluster reports each attempt to reach a node that is away, with its stack.
    private static final Map<String, Level> QUIET =
            Map.of("org.apache.ratis", Level.ERROR, "org.apache.ratis.util.LifeCycle", Level.OFF);

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        LogLines lines = new LogLines();
        lines.setContext(context);
        lines.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(lines);
        appender.start();
        context.putObject(LogLines.class.getName(), lines);
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        apply(LogConfig.DEFAULTS, context);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /// Puts levels and format into force, for the last words of a broker, too.
    public static void apply(LogConfig config) {
        FatalErrors.lastWordsAsJson(config.format() == LogFormat.JSON);
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (factory instanceof LoggerContext context) {
            apply(config, context);
        }
    }

    private static synchronized void apply(LogConfig config, LoggerContext context) {
        Map<String, Level> levels = new LinkedHashMap<>();
        levels.put(Logger.ROOT_LOGGER_NAME, Level.WARN);
        levels.putAll(QUIET);
        levels.put(OUR_LOGGERS, Level.convertAnSLF4JLevel(config.level()));
        levels.put(LogLines.AUDIT, Level.INFO);
        config.levels()
                .levels()
                .forEach((name, level) -> levels.put(name, Level.convertAnSLF4JLevel(level)));
        for (Logger logger : context.getLoggerList()) {
            if (logger.getLevel() != null && !levels.containsKey(logger.getName())) {
                logger.setLevel(null);
            }
        }
        levels.forEach((name, level) -> context.getLogger(name).setLevel(level));
        if (context.getObject(LogLines.class.getName()) instanceof LogLines lines) {
            lines.format(config.format());
        }
    }
}
