package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUrlTest {
    @Test
    void shouldReadHostPortAndOptions() {
        // when
        ConnectionUrl url =
                ConnectionUrl.parse("winnow://broker:7000?username=a%26b&prefetchMessages=7");

        // then
        assertThat(url.host()).isEqualTo("broker");
        assertThat(url.port()).isEqualTo(7000);
        assertThat(url.options())
                .containsEntry(ClientOption.USERNAME, "a&b")
                .containsEntry(ClientOption.PREFETCH_MESSAGES, "7")
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "winnow://broker, broker, 61616",
        "winnow://broker/, broker, 61616",
        "winnow://[::1]:99, ::1, 99",
        "winnow://[::1], ::1, 61616",
        "winnow://10.0.0.1:65535?password=a+b, 10.0.0.1, 65535"
    })
    void shouldReadAddresses(String text, String host, int port) {
        // when
        ConnectionUrl url = ConnectionUrl.parse(text);

        // then
        assertThat(url.host()).isEqualTo(host);
        assertThat(url.port()).isEqualTo(port);
    }

    @Test
    void shouldTakeAPlusSignAsItself() {
        // when
        ConnectionUrl url = ConnectionUrl.parse("winnow://h?password=a+b%2Bc");

        // then
        assertThat(url.options()).containsEntry(ClientOption.PASSWORD, "a+b+c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "tcp://h:1 | URL 'tcp://h:1': expected winnow://host:port?option=value",
                "winnow://h:1?verifyHost=false | verifyHost: expected a URL of TLS (winnows://)",
                "winnows://h:1?verifyHost=no | verifyHost: expected true or false, found 'no'",
                "winnow://h:1?mechanism=CRAM | option mechanism: expected SCRAM-SHA-256 or PLAIN",
                "winnow://a:1,b:2 | URL 'winnow://a:1,b:2': several brokers are not supported yet",
                "winnow://(a:1) | several brokers are not supported yet",
                "winnow://:1 | expected host:port",
                "h:1 | URL 'h:1': expected winnow://host:port",
                "winnow://u@h:1 | URL 'winnow://…': expected host:port",
                "winnow://::1 | expected an IPv6 address in brackets, such as winnow://[::1]:61616",
                "winnow://fe80::1:61616 | expected an IPv6 address in brackets",
                "winnow://[::1 | expected an IPv6 address in brackets",
                "winnow://[] | expected host:port",
                "winnow://h:0 | URL 'winnow://h:0': expected a port of 1 to 65535 behind",
                "winnow://h:x?username=u | URL 'winnow://h…': expected a port of 1 to 65535 behind",
                "winnow://h?sendTimeout | expected sendTimeout=value",
                "winnow://h?sendTimeout=0 | option sendTimeout: expected a whole number of at"
                        + " least 1, found '0'",
                "winnow://h?heartbeat=soon | option heartbeat: expected a whole number of at"
                        + " least 0, found 'soon'",
                "winnow://h?ioThreads=1&ioThreads=2 | option ioThreads: expected one value",
                "winnow://h?password=%zz | option password: expected percent-encoded text",
                "winnow://h?user=x | option 'user' is unknown: expected one of username, password,"
                        + " mechanism, trustStore",
            })
    void shouldSayWhatIsWrong(String url, String expected) {
        // when, then
        assertThatThrownBy(() -> ConnectionUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://h:1?password=secret",
                "winnows://h:1?username=u&password=secret&x=1",
                "winnows://h:1?keyStorePassword=secret&x",
                "winnows://h:1?trustStorePassword=x&keyStore=secret&verifyHost=secret",
                "winnow://h:x?password=secret",
                "winnow://h:1&password=secret",
                "winnow://u:secret@h:1",
                "winnow://u:secret@h",
                "winnow://u@h:1?password=secret",
                "winnow://a:1,b:2?password=secret",
                "winnow://h?password=secret%zz",
            })
    void shouldNotTellThePassword(String url) {
        // when
        Throwable failure = catchThrowable(() -> ConnectionUrl.parse(url));

        // then
        assertThat(failure).isInstanceOf(IllegalArgumentException.class).hasNoCause();
        assertThat(failure.getMessage()).doesNotContain("secret");
    }

    @Test
    @SuppressWarnings("NullAway")
    void shouldSayThatAUrlIsMissing() {
        // when, then
        assertThatThrownBy(() -> new WinnowConnectionFactory(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a URL winnow://host:port, found null");
    }
}
