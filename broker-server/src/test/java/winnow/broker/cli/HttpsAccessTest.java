package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestCertificates;

/// Asks a real broker over TLS whose certificate nobody but itself has signed.
class HttpsAccessTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private static Path directory = Path.of("");
    private static Path store = Path.of("");
    private static Broker broker;

    @BeforeAll
    static void start() throws IOException {
        store =
                TestCertificates.pkcs12(
                        directory.resolve("tls.p12"), "broker", "dns:localhost,ip:127.0.0.1");
        broker = broker(store);
    }

    private static Broker broker(Path certificate) throws IOException {
        Path password =
                TestCertificates.ownerOnly(
                        Files.writeString(
                                directory.resolve("password"), TestCertificates.PASSWORD));
        Map<String, String> settings =
                Map.of(
                        "tls.certificate", certificate.toString(),
                        "tls.password-file", password.toString());
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private int run(CommandLine line, String... arguments) {
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    private int explain(Broker asked, String options) {
        int port = asked.httpAddress().getPort();
        return run(ExplainCommand.commandLine(), "--url=https://localhost:" + port + options);
    }

    @Test
    void shouldTrustAPemFile() throws IOException {
        assertThat(explain(broker, "?trustStore=" + TestCertificates.pem(store)))
                .as(err.toString())
                .isZero();
    }

    @Test
    void shouldTrustAPkcs12File() {
        String options = "?trustStore=" + store + "&trustStorePassword=file%20secret";

        assertThat(explain(broker, options)).as(err.toString()).isZero();
    }

    @Test
    void shouldShowTheTopOverTls() throws IOException {
        // when
        String url = "https://127.0.0.1:" + broker.httpAddress().getPort();
        int code =
                run(
                        TopCommand.commandLine(),
                        "--url=" + url + "?trustStore=" + TestCertificates.pem(store),
                        "--once");

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).startsWith(url + "  up ");
    }

    @Test
    void shouldSayThatThePortSpeaksTls() {
        // when
        int port = broker.httpAddress().getPort();
        int code = run(TopCommand.commandLine(), "--url=http://localhost:" + port, "--once");

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("this port speaks TLS: use https:// in --url");
    }

    @Test
    void shouldTrustNobodyElse() throws IOException {
        // when
        int code = explain(broker, "");

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .contains("cannot connect to https://localhost:")
                .contains("?trustStore=FILE' names the certificates that are trusted");
        assertThat(explain(broker, "?trustAll=true")).as(err.toString()).isZero();
    }

    @Test
    void shouldTrustACertificateForItsHostsOnly() throws IOException {
        Path other =
                TestCertificates.pkcs12(directory.resolve("other.p12"), "x", "dns:broker.example");
        String trusted = "?trustStore=" + TestCertificates.pem(other);
        try (Broker misnamed = broker(other)) {
            assertThat(explain(misnamed, trusted)).isEqualTo(1);
            assertThat(err.toString()).contains("localhost");
            assertThat(explain(misnamed, trusted + "&verifyHost=false"))
                    .as(err.toString())
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://localhost:1?trustStor=x",
                "https://localhost:1?trustAll=yes",
                "http://localhost:1?trustStore=x"
            })
    void shouldSayWhichOptionIsWrong(String url) {
        assertThat(run(ExplainCommand.commandLine(), "--url=" + url)).isEqualTo(2);
        assertThat(err.toString()).contains("--url: ", "expected");
    }

    @Test
    void shouldNameAFileThatCannotBeRead() {
        assertThat(explain(broker, "?trustStore=missing.pem")).isEqualTo(1);
        assertThat(err.toString()).contains("trustStore: missing.pem: no such file");
    }

    @Test
    void shouldSayHowInTheHelp() {
        assertThat(run(TopCommand.commandLine(), "--help")).isZero();
        assertThat(out.toString()).contains("?trustStore=FILE");
    }
}
