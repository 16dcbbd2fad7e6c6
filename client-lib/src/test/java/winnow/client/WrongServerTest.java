package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.JMSException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrongServerTest {
    private static byte[] bytes(String text) {
        return text.translateEscapes().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static JMSException failureOf(WinnowConnectionFactory factory) {
        factory.setStartupMaxReconnectAttempts(0);
        JMSException failure = catchThrowableOfType(JMSException.class, factory::createConnection);
        assertThat(failure).isNotNull();
        return failure;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "HTTP/1.1 400 Bad Request\\r\\n\\r\\n | an HTTP server",
                "<html><body>no</body></html> | an HTTP server",
                "-ERR unknown command 'WNOW'\\r\\n | a Redis server",
                "220 mail.example.com ESMTP\\r\\n | a mail or FTP server",
                "SSH-2.0-OpenSSH_9.9\\r\\n | an SSH server",
                "+OK ready\\r\\n | a POP3 server",
                "* OK IMAP4rev1\\r\\n | an IMAP server",
                "INFO {}\\r\\n | a NATS server",
                "AMQP\\0\\0\\011\\001 | an AMQP broker",
                "ERROR\\nmessage:x\\n\\n\\0 | a STOMP broker",
                "\\0\\0\\001\\100\\001ActiveMQ\\0\\0\\0\\014 | an OpenWire broker",
                "\\112\\0\\0\\0\\0128.4.0\\0 | a MySQL server",
                "E\\0\\0\\0\\200SFATAL\\0 | a PostgreSQL server",
            })
    void shouldSayWhatElseAnswers(String answer, String kind) throws Exception {
        // given
        try (OtherServer server = OtherServer.greeting(bytes(answer))) {
            WinnowConnectionFactory factory = server.factory();
            // One answer looks like the beginning of a frame whose rest never comes.
            factory.setConnectTimeout(3000);

            // when
            JMSException failure = failureOf(factory);

            // then
            assertThat(failure)
                    .hasMessage(
                            "cannot connect to 127.0.0.1:%d: it answers as %s, not as a Winnow"
                                    + " broker; the messaging port is 61616 by"
                                    + " default",
                            server.port(), kind);
            assertThat(failure.getErrorCode()).isEqualTo("NOT_A_BROKER");
            assertThat(server.ends().poll(10, TimeUnit.SECONDS)).as("end").isNotNull();
        }
    }

    @Test
    void shouldSayThatThePortSpeaksTls() throws Exception {
        // given
        try (OtherServer server =
                OtherServer.greeting(bytes("\\025\\003\\001\\0\\002\\002\\106"))) {
            // then
            assertThat(failureOf(server.factory()))
                    .hasMessageContaining("it answers as a TLS server")
                    .hasMessageContaining("use winnows://");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "hello, who are you? | 'hello, who a'",
                "hi\\n | 'hi'",
                "\\377\\375\\030 | 0xFFFD18",
                "\\0\\0\\0\\005\\002abcd | 0x0000000502616263",
            })
    void shouldQuoteTheBeginOfAnUnknownAnswer(String answer, String quoted) throws Exception {
        // given
        try (OtherServer server =
                new OtherServer(connection -> {
                    connection.getInputStream().read(new byte[16]);
                    connection.getOutputStream().write(bytes(answer));
                    connection.shutdownOutput();
                    OtherServer.readToTheEnd(connection);
                })) {
            // when
            JMSException failure = failureOf(server.factory());

            // then
            assertThat(failure)
                    .hasMessageContaining(
                            "its answer begins with %s, which no Winnow broker sends", quoted);
            assertThat(failure.getErrorCode()).isEqualTo("NOT_A_BROKER");
        }
    }

    @Test
    void shouldRecogniseAServerThatWaitsForAnEmptyLine() throws Exception {
        // given
        try (OtherServer server =
                OtherServer.answeringLines(bytes("HTTP/1.1 400 Bad Request\\r\\n\\r\\n"))) {
            // when, then
            assertThat(failureOf(server.factory()))
                    .hasMessageContaining("127.0.0.1:" + server.port())
                    .hasMessageContaining("it answers as an HTTP server");
        }
    }

    @Test
    void shouldNotTellThePasswordThatAServerSendsBack() throws Exception {
        // given
        try (OtherServer server =
                new OtherServer(connection -> {
                    byte[] sink = new byte[4096];
                    int size = connection.getInputStream().read(sink);
                    connection.getOutputStream().write(sink, 0, size);
                    OtherServer.readToTheEnd(connection);
                })) {
            WinnowConnectionFactory factory = server.factory();
            factory.setUsername("u");
            factory.setPassword("secret");

            // when, then
            assertThat(failureOf(factory))
                    .hasMessageContaining("its answer begins with 'WNOW'")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void shouldSayThatAServerIsSilent() throws Exception {
        // given
        try (OtherServer server = OtherServer.silent()) {
            WinnowConnectionFactory factory = server.factory();
            factory.setConnectTimeout(300);

            // when
            JMSException failure = failureOf(factory);

            // then
            assertThat(failure)
                    .hasMessage(
                            "cannot connect to 127.0.0.1:%d: it accepted the connection but did"
                                    + " not answer within 300 ms; the messaging"
                                    + " port is 61616 by default",
                            server.port());
            assertThat(failure.getErrorCode()).isEqualTo("TIMED_OUT");
            assertThat(server.ends().poll(10, TimeUnit.SECONDS)).as("end").isNotNull();
        }
    }

    @Test
    void shouldSayThatAServerClosesAtOnce() throws Exception {
        // given
        try (OtherServer server =
                new OtherServer(connection -> connection.getInputStream().read(new byte[4096]))) {
            // when
            JMSException failure = failureOf(server.factory());

            // then
            assertThat(failure)
                    .hasMessageStartingWith("cannot connect to 127.0.0.1:" + server.port())
                    .hasMessageContaining("it closed the connection without an answer");
            assertThat(failure.getErrorCode()).isEqualTo("CONNECT_FAILED");
        }
    }

    @Test
    void shouldSayThatAServerResetsTheConnection() throws Exception {
        // given
        try (OtherServer server =
                new OtherServer(connection -> {
                    connection.getInputStream().read(new byte[4]);
                    connection.setSoLinger(true, 0);
                })) {
            // when, then
            assertThat(failureOf(server.factory()))
                    .hasMessageStartingWith("cannot connect to 127.0.0.1:" + server.port())
                    .hasMessageContaining("without an answer");
        }
    }

    @Test
    void shouldSayThatAHostNameIsTooLong() {
        // given
        String label = "a".repeat(64);
        String name = "abcdefgh.".repeat(29);

        // when, then
        assertThat(failureOf(new WinnowConnectionFactory("winnow://" + label + ":7000")))
                .hasMessageContaining("…:7000: the host name is too long")
                .hasMessageContaining("64 characters between two dots, at most 63 are possible");
        assertThat(failureOf(new WinnowConnectionFactory("winnow://" + name + ":7000")))
                .hasMessageContaining("…:7000: the host name is too long")
                .hasMessageContaining("261 characters, at most 253 are possible");
    }

    @Test
    void shouldSayThatAClientIdentifierIsTooLong() throws Exception {
        // given
        try (OtherServer server = OtherServer.silent()) {
            WinnowConnectionFactory factory = server.factory();
            factory.setClientID("x".repeat(9000));

            // when, then
            assertThatThrownBy(factory::createConnection)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("cannot connect to 127.0.0.1:" + server.port())
                    .hasMessageContaining("client identifier, user name and password are too long");
        }
    }

    @Test
    void shouldSayThatAHostNameIsUnknown() {
        // when
        JMSException failure =
                failureOf(new WinnowConnectionFactory("winnow://nobody.invalid:7000"));

        // then
        assertThat(failure)
                .hasMessageStartingWith("cannot connect to nobody.invalid:7000: unknown host name");
        assertThat(failure.getErrorCode()).isEqualTo("CONNECT_FAILED");
    }
}
