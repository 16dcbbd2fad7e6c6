package winnow.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.broker.BrokerConfig;

class ConfigReaderTest {
    @Test
    void shouldKnowAllKeysAndTheirDefaults() {
        Map<String, String> expected = new TreeMap<>(keysToP());
        expected.putAll(keysFromQ());
        expected.putAll(keysOfSecurity());

        assertThat(ConfigReader.keys(BrokerConfig.DEFAULTS)).containsExactlyEntriesOf(expected);
    }

    private static Map<String, String> keysToP() {
        return Map.ofEntries(
                Map.entry("cluster.advertised-address", ""),
                Map.entry("cluster.authority", ""),
                Map.entry("cluster.certificate", ""),
                Map.entry("cluster.election-timeout", "1s"),
                Map.entry("cluster.join", "false"),
                Map.entry("cluster.key", ""),
                Map.entry("cluster.node", ""),
                Map.entry("cluster.nodes", ""),
                Map.entry("destination.matching", "indexed"),
                Map.entry("destination.matching-by-topic", ""),
                Map.entry("destination.max-name-bytes", "1024"),
                Map.entry("destination.max-property-bytes", "32768"),
                Map.entry("destination.max-properties", "4096"),
                Map.entry("destination.max-property-names", "16384"),
                Map.entry("destination.max-scanned-bytes", "4194304"),
                Map.entry("destination.max-topics", "10000"),
                Map.entry("destination.slow-consumers", ""),
                Map.entry("http.max-connections", "100"),
                Map.entry("http.port", "8161"),
                Map.entry("http.receive-timeout", "5s"),
                Map.entry("http.request-timeout", "30s"),
                Map.entry("http.socket", ""),
                Map.entry("http.stall-timeout", "5s"),
                Map.entry("log.format", "text"),
                Map.entry("log.level", "info"),
                Map.entry("log.levels", ""),
                Map.entry("metrics.selectors", "10"),
                Map.entry("metrics.topics", "100"),
                Map.entry("session.heartbeat", "15s"),
                Map.entry("session.max-handles", "1000"),
                Map.entry("session.max-pending-selectors", "20000"),
                Map.entry("session.max-selector-characters", "2000000"),
                Map.entry("session.max-sessions", "1000"),
                Map.entry("session.max-subscriptions", "10000"),
                Map.entry("session.max-transaction-bytes", "64MiB"),
                Map.entry("session.clock-difference", "10s"),
                Map.entry("session.resume-timeout", "60s"),
                Map.entry("session.max-away", "10000"),
                Map.entry("session.metadata.connection", "0B"),
                Map.entry("session.metadata.total", "0B"),
                Map.entry("session.metadata.user", "0B"),
                Map.entry("session.producer-window", "512KiB"),
                Map.entry("session.unread-timeout", "300s"));
    }

    private static Map<String, String> keysOfSecurity() {
        return Map.ofEntries(
                Map.entry("security.allow-plain-text-passwords", "false"),
                Map.entry("security.certificates.groups", ""),
                Map.entry("security.certificates.user", ""),
                Map.entry("security.ldap.allow-clear-text", "false"),
                Map.entry("security.ldap.bind-dn", ""),
                Map.entry("security.ldap.bind-password-file", ""),
                Map.entry("security.ldap.certificates", ""),
                Map.entry("security.ldap.connections", "4"),
                Map.entry("security.ldap.group-attribute", ""),
                Map.entry("security.ldap.group-filter", "(member=${dn})"),
                Map.entry("security.ldap.groups", ""),
                Map.entry("security.ldap.login-lifetime", "43200s"),
                Map.entry("security.ldap.remember", "60s"),
                Map.entry("security.ldap.start-tls", "false"),
                Map.entry("security.ldap.timeout", "2s"),
                Map.entry("security.ldap.url", ""),
                Map.entry("security.ldap.user-dn", ""),
                Map.entry("security.ldap.user-filter", "(uid=${user})"),
                Map.entry("security.ldap.user-name", "uid"),
                Map.entry("security.ldap.users", ""),
                Map.entry("security.permissions", ""),
                Map.entry("security.tokens.algorithms", "RS256,PS256,ES256"),
                Map.entry("security.tokens.audience", ""),
                Map.entry("security.tokens.clock-skew", "30s"),
                Map.entry("security.tokens.groups", "groups"),
                Map.entry("security.tokens.issuer", ""),
                Map.entry("security.tokens.keys", ""),
                Map.entry("security.tokens.keys-certificates", ""),
                Map.entry("security.tokens.refresh-interval", "300s"),
                Map.entry("security.tokens.user", "sub"),
                Map.entry("security.users", ""));
    }

    private static Map<String, String> keysFromQ() {
        return Map.ofEntries(
                Map.entry("queue.bury-expired", "false"),
                Map.entry("queue.dead-letters", "winnow.dead"),
                Map.entry("queue.max-bytes", "65536MiB"),
                Map.entry("queue.max-deliveries", "10"),
                Map.entry("queue.max-message-bytes", "1024MiB"),
                Map.entry("queue.max-messages", "100000000"),
                Map.entry("queue.max-redelivery-delay", "60s"),
                Map.entry("queue.max-unacknowledged", "100000"),
                Map.entry("queue.overflow", "refuse"),
                Map.entry("queue.policies", ""),
                Map.entry("queue.redelivery-delay", "250ms"),
                Map.entry("queue.time-to-live", "0s"),
                Map.entry("storage.block-cache", "128MiB"),
                Map.entry("storage.directory", ""),
                Map.entry("storage.disk-reserve", "0B"),
                Map.entry("storage.max-backups", "4"),
                Map.entry("storage.max-prepared", "1000"),
                Map.entry("storage.prepared", "0B"),
                Map.entry("storage.destinations", "0B"),
                Map.entry("storage.memory", "0B"),
                Map.entry("storage.window", "0B"),
                Map.entry("storage.write-ahead-log", "512MiB"),
                Map.entry("storage.write-buffer", "256MiB"),
                Map.entry("subscription.buffer", "1MiB"),
                Map.entry("subscription.spill-buffer", "1024MiB"),
                Map.entry("subscription.spill-directory", ""),
                Map.entry("subscription.spill-timeout", "600s"),
                Map.entry("subscription.total-buffer", "0B"),
                Map.entry("subscription.total-spill-buffer", "0B"),
                Map.entry("tls.certificate", ""),
                Map.entry("tls.client-auth", "none"),
                Map.entry("tls.client-certificates", ""),
                Map.entry("tls.http", "true"),
                Map.entry("tls.jms", "true"),
                Map.entry("tls.key", ""),
                Map.entry("tls.max-handshakes", "200"),
                Map.entry("tls.password-file", ""),
                Map.entry("tls.reload-interval", "10s"),
                Map.entry("transport.bind", "127.0.0.1"),
                Map.entry("transport.drain-timeout", "5s"),
                Map.entry("transport.event-loops", "0"),
                Map.entry("transport.first-byte-timeout", "2s"),
                Map.entry("transport.frame-buffer", "0B"),
                Map.entry("transport.handshake-timeout", "5s"),
                Map.entry("transport.max-connections", "0"),
                Map.entry("transport.max-connections-per-address", "0"),
                Map.entry("transport.max-frame", "0B"),
                Map.entry("transport.port", "61616"),
                Map.entry("transport.socket-buffer", "0B"),
                Map.entry("transport.tcp-no-delay", "true"));
    }

    @Test
    void shouldReplaceTheValuesOfKeys() {
        // when
        BrokerConfig config =
                BrokerConfig.of(
                        Map.of(
                                "transport.event-loops", "3",
                                "transport.handshake-timeout", "250ms",
                                "subscription.buffer", "64k",
                                "security.users", "some/users",
                                "security.permissions", "some/permissions.yaml",
                                "security.allow-plain-text-passwords", "true",
                                "destination.matching", "linear"));

        // then
        assertThat(config.transport().eventLoops()).isEqualTo(3);
        assertThat(config.transport().handshakeTimeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(config.subscription().buffer()).isEqualTo(ByteSize.ofKibibytes(64));
        assertThat(config.security().users()).isEqualTo(Path.of("some/users"));
        assertThat(config.security().allowPlainTextPasswords()).isTrue();
        assertThat(config.session()).isEqualTo(BrokerConfig.DEFAULTS.session());
    }

    @Test
    void shouldReadTheTextOfAllValues() {
        // given
        BrokerConfig config =
                BrokerConfig.of(
                        Map.of(
                                "transport.handshake-timeout", "250ms",
                                "transport.drain-timeout", "3m",
                                "subscription.buffer", "12345",
                                "destination.slow-consumers",
                                        "a*=drop-oldest:0s,b=disconnect:3s,c=block",
                                "queue.overflow", "bury-oldest",
                                "queue.policies",
                                        "a-*=max-messages:5;overflow:drop-oldest,b=max-bytes:1MiB",
                                "destination.matching-by-topic", "a=linear"));

        // then
        assertThat(BrokerConfig.of(ConfigReader.keys(config))).isEqualTo(config);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    transport.event-loop | 3 | did you mean 'transport.event-loops'?
                    transport.event-loops | x | transport.event-loops: expected a whole number
                    transport.event-loops | -1 | event-loops: expected 0 or 1 to 1024, found -1
                    subscription.buffer | 3 apples | subscription.buffer: expected a size such as
                    subscription.buffer | 256MB | found '256MB': write 256MiB or 256000000
                    subscription.buffer | 5 kb | found '5 kb': write 5KiB or 5000
                    queue.policies | a=max-bytes:1GB | found '1GB': write 1GiB or 1000000000
                    subscription.buffer | 10 | buffer: expected at least 1KiB, found 10B
                    transport.frame-buffer | 16MiB | frame-buffer: expected at least 32MiB, twice
                    session.heartbeat | 5 | expected a duration of up to 9 digits such as 500ms
                    session.heartbeat | 9223372036854775807m | heartbeat: expected a duration of
                    session.heartbeat | 9223372036854775807s | heartbeat: expected a duration of
                    session.heartbeat | 61m | session.heartbeat: expected 0s to 60m, found 3660s
                    session.heartbeat | -1s | session.heartbeat: expected 0s to 60m, found -1s
                    session.unread-timeout | 61m | session.unread-timeout: expected 0s to 60m
                    destination.slow-consumers | a=block:1s | expected TOPIC=spill, TOPIC=block
                    destination.slow-consumers | a=disconnect | expected TOPIC=spill, TOPIC=block
                    destination.slow-consumers | a=drop-oldest:x | expected a duration of up to
                    security.allow-plain-text-passwords | yes | expected true or false, found 'yes'
                    security.tokens.keys | a | security.tokens.issuer: expected the issuer of tokens
                    security.tokens.issuer | a | security.tokens.audience: expected a value, because
                    security.tokens.algorithms | HS256 | tokens.algorithms: expected RS256, RS384, R
                    security.tokens.algorithms | none | PS512, ES256, ES384, ES512, joined by commas
                    security.tokens.algorithms | '' | joined by commas, found ''
                    security.tokens.clock-skew | 6m | security.tokens.clock-skew: expected 0s to 5m
                    security.tokens.refresh-interval | 9s | refresh-interval: expected 10s to 1440m
                    security.certificates.user | CN | security.certificates.user: expected subject.C
                    security.certificates.user | subject.email | in place of CN, or dns
                    security.certificates.user | uri=a | one '*', such as uri=spiffe://acme/*, found
                    security.certificates.user | uri=** | found 'uri=**'
                    security.certificates.groups | subject.OU | user: expected where the name of a
                    security.ldap.url | ldap://a | expected ldaps:// or start-tls=true, because othe
                    security.ldap.url | ldap://127.0.0.1,ldap://10.0.0.1 | found 'ldap://10.0.0.1'
                    security.ldap.url | ldaps://a,ldap://127.0.0.1 | ldaps:// in all addresses or
                    security.ldap.url | http://a | security.ldap.url: expected ldaps://HOST:PORT or
                    security.ldap.url | ldaps://a/dc=acme | expected ldaps://HOST:PORT or ldap://HOS
                    security.ldap.url | ldaps://a | security.ldap.users: expected it, or user-dn, f
                    security.ldap.users | dc=acme | security.ldap.url: expected a directory, becaus
                    security.ldap.bind-dn | x | security.ldap.url: expected a directory, because bi
                    security.ldap.bind-password-file | x | bind-dn: expected it and bind-password-f
                    security.ldap.user-filter | (uid=x) | expected ${user} in it, found '(uid=x)'
                    security.ldap.user-filter | uid=${user}) | expected a filter of LDAP such as (u
                    security.ldap.group-filter | (cn=x) | group-filter: expected ${dn} in it, found
                    security.ldap.user-name | '' | expected an attribute such as uid, found none
                    security.ldap.timeout | 31s | security.ldap.timeout: expected 100ms to 30s, fou
                    security.ldap.login-lifetime | 1s | expected 0 or at least 60s, found 1s
                    queue.overflow | burn | one of [refuse, drop-oldest, bury-oldest], found 'burn'
                    queue.max-messages | -1 | queue.max-messages: expected 0 or 1 to 1000000000
                    queue.dead-letters | '' | queue.dead-letters: expected the name of a queue
                    queue.policies | a=x | queue.policies: expected NAME=PART:VALUE;PART:VALUE
                    queue.policies | max-messages:1 | expected NAME=PART:VALUE;PART:VALUE, rules
                    queue.policies | a=size:1 | a: expected one of max-messages, max-bytes, max-m
                    queue.policies | a=max-messages:x | a: max-messages: expected a whole number
                    queue.policies | a=max-bytes:x | a: max-bytes: expected a size such as 65536
                    queue.policies | a=overflow:x | a: overflow: expected one of [refuse, drop-o
                    queue.policies | a=time-to-live:-1s | a: time-to-live: expected at least 0s
                    queue.policies | b=bury-expired:no | b: bury-expired: expected true or false
                    destination.matching | fast | expected one of [indexed, linear]
                    destination.matching-by-topic | a | expected TOPIC=indexed or TOPIC=linear
                    destination.matching-by-topic | a=linear,b=x | by commas, found 'b=x'
                    """)
    void shouldSayWhatWasExpectedOfABadSetting(String key, String value, String message) {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "17,17", "4KiB,4096", "2m,2097152", "1 GiB,1073741824", "5kib,5120"})
    void shouldReadSizes(String text, long bytes) {
        assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
    }
}
