package winnow.broker.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import winnow.broker.TestCertificates;

class TlsCertificatesTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(TlsCertificates.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir private Path directory = Path.of("");

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(log);
    }

    private List<String> errors() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void shouldTellOnceThatAFileIsMissing() throws IOException {
        // given
        Path file = TestCertificates.pkcs12(directory.resolve("tls.p12"), "first", "dns:localhost");
        TlsConfig config = config(file, password());
        try (TlsCertificates certificates = new TlsCertificates(config)) {
            // when
            Path elsewhere = Files.move(file, directory.resolve("elsewhere"));
            certificates.look();
            certificates.look();

            // then
            assertThat(errors())
                    .singleElement()
                    .asString()
                    .contains(file + ": no such file or directory");

            // when it is there again, as it was, and then goes again
            Files.move(elsewhere, file);
            certificates.look();
            Files.delete(file);
            certificates.look();

            // then
            assertThat(errors()).hasSize(2);
        }
    }

    @Test
    void shouldRefuseAKeyOrItsPasswordThatOthersCanRead() throws IOException {
        // given
        Path file = TestCertificates.pkcs12(directory.resolve("tls.p12"), "first", "dns:localhost");
        Path password = password();
        TlsConfig config = config(file, password);

        for (Path open : List.of(file, password)) {
            // when
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));

            // then
            assertThatThrownBy(() -> new TlsCertificates(config))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("tls.")
                    .hasMessageContaining(open + ": expected a file with a secret that only")
                    .hasMessageContaining("(chmod 640;")
                    .hasMessageEndingWith("found rw-r--r--");

            // when
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r-----"));

            // then
            new TlsCertificates(config).close();
        }
    }

    private Path password() throws IOException {
        return TestCertificates.ownerOnly(
                Files.writeString(directory.resolve("password"), TestCertificates.PASSWORD));
    }

    private static TlsConfig config(Path file, Path password) {
        return new TlsConfig(
                file,
                Path.of(""),
                password,
                TlsConfig.ClientAuthentication.NONE,
                Path.of(""),
                true,
                true,
                1,
                Duration.ZERO);
    }
}
