package winnow.broker.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;
import winnow.wire.Printable;

class LogLinesTest {
    private final LoggerContext context = new LoggerContext();
    private final LogLines lines = new LogLines();

    private LoggingEvent event(String message, Object... arguments) {
        LoggingEvent event =
                new LoggingEvent(
                        "",
                        context.getLogger("winnow.broker.session.ClientConnection"),
                        Level.WARN,
                        message,
                        null,
                        arguments);
        event.setInstant(Instant.parse("2026-01-02T03:04:05.006Z"));
        event.setThreadName("winnow-loop-0");
        return event;
    }

    private String line(LoggingEvent event) {
        return new String(lines.encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void shouldHaveTimeLevelThreadAndPart() {
        assertThat(line(event("{} is closed", "it")))
                .isEqualTo(
                        "2026-01-02T03:04:05.006Z WARN  [winnow-loop-0] ClientConnection: it is"
                                + " closed\n");
    }

    @Test
    void shouldMakeJsonOfTheAuditAlways() throws IOException {
        // given
        LoggingEvent event =
                new LoggingEvent(
                        "", context.getLogger("winnow.audit"), Level.INFO, "seen", null, null);
        event.setInstant(Instant.parse("2026-01-02T03:04:05.006Z"));
        event.addKeyValuePair(new KeyValuePair("event", "login"));

        // then
        JsonNode line = JsonMapper.builder().build().readTree(line(event));
        assertThat(line.path("event").asText()).isEqualTo("login");
        assertThat(line.path("message").asText()).isEqualTo("seen");
    }

    @Test
    void shouldLetNobodyBeginALineOfItsOwn() {
        assertThat(line(event("client '{}'", "a\n2026 ERROR \u001b[31mb\u2028c")))
                .endsWith("client 'a?2026 ERROR ?[31mb?c'\n");
    }

    @Test
    void shouldLetNobodyBeginALineByTheMessageOfAFailure() {
        // given
        LoggingEvent event = event("it failed");
        event.setThrowableProxy(
                new ch.qos.logback.classic.spi.ThrowableProxy(
                        new IOException("found 'a\n2026 ERROR b\r\u001b[31mc'")));

        // when
        String[] lines = line(event).split("\n", -1);

        // then
        assertThat(lines[1]).isEqualTo("\tjava.io.IOException: found 'a");
        assertThat(lines[2]).isEqualTo("\t2026 ERROR b");
        assertThat(lines[3]).isEqualTo("\t?[31mc'");
        assertThat(lines[4]).startsWith("\tat ");
    }

    @Test
    void shouldBeAnObjectOfJsonInALine() throws IOException {
        // given
        lines.format(LogFormat.JSON);
        LoggingEvent event = event("a \"quoted\"\nline");
        event.setKeyValuePairs(List.of(new KeyValuePair("topic", "t\u0001")));
        event.setThrowableProxy(
                new ch.qos.logback.classic.spi.ThrowableProxy(new IOException("why")));

        // when
        String line = line(event);

        // then
        assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
        JsonNode json = JsonMapper.builder().build().readTree(line);
        assertThat(json.path("time").asText()).isEqualTo("2026-01-02T03:04:05.006Z");
        assertThat(json.path("level").asText()).isEqualTo("warn");
        assertThat(json.path("thread").asText()).isEqualTo("winnow-loop-0");
        assertThat(json.path("message").asText()).isEqualTo("a \"quoted\"\nline");
        assertThat(json.path("topic").asText()).isEqualTo("t\u0001");
        assertThat(json.path("error").asText()).startsWith("java.io.IOException: why");
    }

    @Test
    void shouldChangeLevelsAtRunTime() {
        // given
        Logger session = (Logger) LoggerFactory.getLogger("winnow.broker.session.X");
        Logger library = (Logger) LoggerFactory.getLogger("io.netty.X");

        // when
        LogSetup.apply(
                new LogConfig(
                        LogFormat.TEXT,
                        org.slf4j.event.Level.WARN,
                        LogLevels.parse("winnow.broker.session=debug, io.netty=info")));

        // then
        assertThat(session.isDebugEnabled()).isTrue();
        assertThat(library.isInfoEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger("winnow.broker.Main").isInfoEnabled()).isFalse();

        // when
        LogSetup.apply(LogConfig.DEFAULTS);

        // then
        assertThat(session.isDebugEnabled()).isFalse();
        assertThat(session.isInfoEnabled()).isTrue();
        assertThat(library.isInfoEnabled()).isFalse();
        assertThat(library.isWarnEnabled()).isTrue();
    }

    @AfterEach
    void restore() {
        LogSetup.apply(LogConfig.DEFAULTS);
    }

    @Test
    void shouldSayWhatWasExpectedOfLevels() {
        assertThatThrownBy(() -> LogLevels.parse("a=loud"))
                .hasMessageContaining("expected NAME=LEVEL")
                .hasMessageContaining("found 'a=loud'");
    }

    @Test
    void shouldShowNamesShortened() {
        assertThat(Printable.of("a\tb")).isEqualTo("a?b");
        assertThat(Printable.of("x".repeat(101))).isEqualTo("x".repeat(100) + "...");
        assertThat(Printable.of("\uD83D\uDE00 ok")).isEqualTo("\uD83D\uDE00 ok");
    }
}
