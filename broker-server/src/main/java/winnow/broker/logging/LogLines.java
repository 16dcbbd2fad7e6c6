package winnow.broker.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.slf4j.event.KeyValuePair;
import winnow.wire.Printable;

/// Makes a line of each log event: time in UTC, level, thread, part of the broker, message. Events
/// may have names and values besides, which are said in the message, too; JSON has them as fields.
/// Thread-safe.
final class LogLines extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /// Programs read its lines: they are JSON always.
    static final String AUDIT = "winnow.audit";

    private volatile LogFormat format = LogFormat.TEXT;

    void format(LogFormat format) {
        this.format = format;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String line =
                switch (format) {
                    case TEXT -> event.getLoggerName().equals(AUDIT) ? json(event) : text(event);
                    case JSON -> json(event);
                };
        return line.getBytes(StandardCharsets.UTF_8);
    }

    private static String time(ILoggingEvent event) {
        return TIME.format(Instant.ofEpochMilli(event.getTimeStamp()));
    }

    /// A line of JSON for what no logger was told: the first fields are those of the log.
    static String json(Instant time, org.slf4j.event.Level level, String message) {
        StringBuilder line = new StringBuilder("{");
        field("time", TIME.format(time), line);
        field("level", level.toString().toLowerCase(Locale.ROOT), line);
        field("thread", Thread.currentThread().getName(), line);
        field("logger", LogSetup.OUR_LOGGERS, line);
        field("message", message, line);
        return line.append("}\n").toString();
    }

    private static String text(ILoggingEvent event) {
        String logger = event.getLoggerName();
        StringBuilder line =
                new StringBuilder(time(event))
                        .append(' ')
                        .append("%-5s".formatted(event.getLevel()))
                        .append(" [")
                        .append(event.getThreadName())
                        .append("] ")
                        .append(logger.substring(logger.lastIndexOf('.') + 1))
                        .append(": ")
                        .append(Printable.line(event.getFormattedMessage()))
                        .append('\n');
        IThrowableProxy failure = event.getThrowableProxy();
        return failure == null ? line.toString() : line.append(trace(failure)).toString();
    }

    /// Each line begins with a tab, because the messages of failures may quote what a client wrote.
    private static String trace(IThrowableProxy failure) {
        StringBuilder trace = new StringBuilder();
        ThrowableProxyUtil.asString(failure)
                .lines()
                .map(String::strip)
                .forEach(one -> trace.append('\t').append(Printable.line(one)).append('\n'));
        return trace.toString();
    }

    private static String json(ILoggingEvent event) {
        StringBuilder line = new StringBuilder("{");
        field("time", time(event), line);
        field("level", event.getLevel().toString().toLowerCase(Locale.ROOT), line);
        field("thread", event.getThreadName(), line);
        field("logger", event.getLoggerName(), line);
        field("message", event.getFormattedMessage(), line);
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                field(pair.key, String.valueOf(pair.value), line);
            }
        }
        if (event.getThrowableProxy() != null) {
            field("error", ThrowableProxyUtil.asString(event.getThrowableProxy()), line);
        }
        return line.append("}\n").toString();
    }

    private static void field(String name, String value, StringBuilder line) {
        line.append(line.length() > 1 ? ",\"" : "\"").append(name).append("\":\"");
        JsonStringEncoder.getInstance().quoteAsString(value, line);
        line.append('"');
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
