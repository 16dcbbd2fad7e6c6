package winnow.client.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.WinnowConnectionFactory;
import winnow.client.transport.endpoint.BrokerHost;

class ConnectionUrlTest {
    @Test
    void shouldReadHostPortAndOptions() {
        // when
        ConnectionUrl url =
                ConnectionUrl.parse("winnow://broker:7000?username=a%26b&prefetchMessages=7");

        // then
        assertThat(url.hosts()).containsExactly(new BrokerHost("broker", 7000));
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
        assertThat(url.hosts()).containsExactly(new BrokerHost(host, port));
        assertThat(ConnectionUrl.parse(url.toString()).hosts()).isEqualTo(url.hosts());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "winnow://a:1,b,[::1]:2,[fe80::1]?username=u",
                "winnow://a:1,b:61616,[::1]:2,[fe80::1]:61616/?username=u",
            })
    void shouldReadAListOfHosts(String text) {
        // when
        ConnectionUrl url = ConnectionUrl.parse(text);

        // then
        assertThat(url.hosts())
                .containsExactly(
                        new BrokerHost("a", 1),
                        new BrokerHost("b", 61616),
                        new BrokerHost("::1", 2),
                        new BrokerHost("fe80::1", 61616));
        assertThat(url.options()).containsEntry(ClientOption.USERNAME, "u");
        assertThat(url).hasToString("winnow://a:1,b:61616,[::1]:2,[fe80::1]:61616");
    }

    @Test
    void shouldReadAListOfHostsWithTls() {
        ConnectionUrl url = ConnectionUrl.parse("winnows://a,b:2?verifyHost=false");

        assertThat(url.tls()).isTrue();
        assertThat(url).hasToString("winnows://a:61616,b:2");
    }

    @Test
    void shouldLimitTheNumberOfHosts() {
        String most = "winnow://" + "h,".repeat(63) + "h";

        assertThat(ConnectionUrl.parse(most).hosts()).hasSize(64);
        assertThatThrownBy(() -> ConnectionUrl.parse(most + ",h"))
                .hasMessageContaining("expected at most 64 hosts, found 65");
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
                "winnow://h:1?mechanism=CRAM | option mechanism: expected one of SCRAM-SHA-256,",
                "winnow://a:1,,b:2 | expected host:port, found no name in host 2 of 3",
                "winnow://a:1, | expected host:port, found no name in host 2 of 2",
                "winnow://,a:1 | expected host:port, found no name in host 1 of 2",
                "winnow://a:1,:2 | expected host:port, found no name in host 2 of 2",
                "winnow://a:1, b:2 | expected host:port, found white space in host 2 of 2",
                "winnow://a:1,b :2,c | expected host:port, found white space in host 2 of 3",
                "winnow://a b:1 | URL 'winnow://a…': expected host:port, found white space",
                "winnow://a:1,b:0 | URL 'winnow://a:1,b:0': expected a port of 1 to 65535 behind"
                        + " the host in host 2 of 2",
                "winnow://a,::1 | or an IPv6 address in brackets, found another character in host"
                        + " 2 of 2",
                "winnow://a,b=1 | found another character in host 2 of 2",
                "winnow://a,u@b | URL 'winnow://…': expected host:port",
                "winnow://a/,b | expected host:port behind winnow://",
                "winnow://(a:1,b:2) | expected hosts without '(', such as"
                        + " winnow://a:61616,b:61616",
                "winnow://a:1,winnow://b:2 | expected the scheme once, found it again: write"
                        + " winnow://a:61616,b:61616",
                "failover:(tcp://a:1,tcp://b:2) | or winnows:// for TLS; several hosts are"
                        + " written winnow://a:61616,b:61616?option=value, without 'failover:'",
                "(tcp://a:1,tcp://b:2)?ha=true | several hosts are written"
                        + " winnow://a:61616,b:61616?option=value",
                "winnow://h?reconnectAttempts=-1 | option 'reconnectAttempts' is unknown:"
                        + " maxReconnectAttempts says how often hosts are tried when a connection"
                        + " was lost",
                "winnow://h?maxReconnectAttempts=-2 | option maxReconnectAttempts: expected",
                "winnow://h?initialConnectAttempts=5 | startupMaxReconnectAttempts says",
                "winnow://h?retryInterval=5 | option 'retryInterval' is unknown: reconnectDelay is"
                        + " the longest pause before the second round of attempts, in ms",
                "winnow://h?initialReconnectDelay=-1 | option initialReconnectDelay: expected a"
                        + " whole number of at least 0",
                "winnow://h?maxRetryInterval=5 | maxReconnectDelay is what",
                "winnow://h?retryIntervalMultiplier=5 | reconnectBackOffMultiplier says",
                "winnow://h?ha=true | option 'ha' is unknown: all hosts of the URL are tried",
                "winnow://h?failover.randomize=true | option 'failover.randomize' is unknown: it"
                        + " is randomize here",
                "winnow://h?failover.maxReconnectAttempts=1 | it is maxReconnectAttempts here",
                "winnow://h?startupMaxReconnectAttempts=-2 | option startupMaxReconnectAttempts:"
                        + " expected a whole number of at least 0, or -1 for no limit, found '-2'",
                "winnow://h?reconnectBackOffMultiplier=0.5 | expected a number of 1 to 999",
                "winnow://h?reconnectBackOffMultiplier=NaN | expected a number of 1 to 999",
                "winnow://h?reconnectDelay=0 | option reconnectDelay: expected a whole number",
                "winnow://h?maxReconnectDelay=0 | option maxReconnectDelay: expected a whole",
                "winnow://h?warnAfterReconnectAttempts=-1 | expected a whole number of at least 0",
                "winnow://h?randomize=yes | option randomize: expected true or false",
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
                        + " mechanism, tokenFile, trustStore",
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
                "winnow://a:1,,b:2?password=secret",
                "winnow://a:1,b:2,password=secret",
                "winnow://a:1,u:secret@b:2",
                "winnow://a:1, secret",
                "winnow://a:1,b:secret",
                "failover:(tcp://a:1)?password=secret",
                "failover:secret",
                "winnow://h?password=secret&retryInterval=secret",
                "winnow://h?reconnectAttempts=secret",
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
