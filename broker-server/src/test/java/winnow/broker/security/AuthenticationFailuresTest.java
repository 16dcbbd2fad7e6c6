package winnow.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import winnow.broker.permission.AuditEvent;

/// Lines of the audit about logins that are refused.
class AuthenticationFailuresTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(AuditEvent.LOGGER);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final LongAdder counted = new LongAdder();
    private final AuthenticationFailures failures = new AuthenticationFailures(counted);

    @BeforeEach
    void start() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
    }

    private List<String> addresses() {
        return log.list.stream()
                .flatMap(line -> Objects.requireNonNull(line.getKeyValuePairs()).stream())
                .filter(pair -> pair.key.equals("address"))
                .map(pair -> String.valueOf(pair.value))
                .toList();
    }

    private void fail(String address) {
        failures.onFailure(address, "ann", "user or password is wrong");
    }

    @Test
    void shouldNotLetOneAddressHideAnother() {
        // when
        for (int i = 0; i < 100; i++) {
            fail("10.0.0.1");
            fail("2001:db8:1:2:0:0:0:" + Integer.toHexString(i));
        }
        fail("10.0.0.2");

        // then
        assertThat(addresses()).filteredOn("10.0.0.1"::equals).hasSize(20);
        assertThat(addresses()).filteredOn(one -> one.startsWith("2001:db8:1:2:")).hasSize(20);
        assertThat(addresses()).endsWith("10.0.0.2");
        assertThat(counted.sum()).isEqualTo(201);
        ILoggingEvent last = log.list.getLast();
        assertThat(last.getFormattedMessage())
                .isEqualTo("user or password is wrong (160 more were not logged)");
        assertThat(last.getKeyValuePairs())
                .anySatisfy(pair -> {
                    assertThat(pair.key).isEqualTo("omitted");
                    assertThat(pair.value).isEqualTo("160");
                });
    }

    @Test
    void shouldNotLetManyAddressesFillTheAudit() {
        // when
        for (int i = 0; i < 1000; i++) {
            fail("10.0." + i / 250 + "." + i % 250);
        }

        // then
        assertThat(addresses()).hasSize(200);
    }
}
