package winnow.client.log;

import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.spi.SLF4JServiceProvider;

/// Loggers of the client. Without an SLF4J provider on the class path SLF4J drops what is logged,
/// so that nobody would learn of a lost connection; then warnings go to the standard error.
public final class ClientLog {
    /// System property that turns warnings on the standard error off, with the value `false`.
    public static final String PROPERTY = "winnow.client.warnings";

    private static final PrintedWarnings WARNINGS = new PrintedWarnings(System.err);

    private ClientLog() {}

    /// Logger of a class.
    public static Logger of(Class<?> owner) {
        Logger logger = LoggerFactory.getLogger(owner);
        return logger instanceof NOPLogger && Fallback.WANTED ? WARNINGS : logger;
    }

    /// Looked up once, and only without a log.
    private static final class Fallback {
        static final boolean WANTED = isWanted();

        /// A provider that logs nothing, such as slf4j-nop, is there on purpose.
        private static boolean isWanted() {
            return !"false".equals(System.getProperty(PROPERTY))
                    && !ServiceLoader.load(
                                    SLF4JServiceProvider.class,
                                    LoggerFactory.class.getClassLoader())
                            .iterator()
                            .hasNext();
        }
    }
}
