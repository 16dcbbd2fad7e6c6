package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.broker.config.SettingSources;

/// Certificates that prove users need a port where clients can show them.
class CertificateSettingsTest {
    private final Map<String, String> settings =
            new HashMap<>(
                    Map.of(
                            "tls.certificate", "tls.crt",
                            "tls.client-auth", "want",
                            "tls.client-certificates", "ca.crt",
                            "security.certificates.user", "subject.CN"));

    private BrokerConfig config() {
        return BrokerConfig.of(settings);
    }

    private void refused(String why) {
        assertThatThrownBy(() -> RunningConfig.certificateUsers(config()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
        assertThat(StartCheck.problems(new SettingSources(config())))
                .anyMatch(problem -> problem.contains(why));
    }

    @Test
    void shouldRefuseCertificatesThatNoPortAsksFor() {
        settings.put("security.users", "users");
        settings.put("tls.jms", "false");
        settings.put("tls.http", "false");

        refused("found tls.jms=false and tls.http=false; set one to true");
    }

    @Test
    void shouldRefuseABrokerThatLetsInNoClient() {
        settings.put("tls.jms", "false");

        refused("found tls.jms=false and no way that needs no TLS; set tls.jms=true, or");
    }

    @Test
    void shouldWarnOfAPortThatAsksForNoCertificates() {
        assertThat(SettingWarnings.certificateWarnings(config())).isEmpty();
        settings.put("tls.http", "false");
        assertThat(SettingWarnings.certificateWarnings(config()))
                .singleElement()
                .asString()
                .contains("(tls.http=false). Set tls.http=true, or use http.socket, or let them");

        settings.put("tls.http", "true");
        settings.put("tls.jms", "false");
        settings.put("security.users", "users");
        assertThat(RunningConfig.certificateUsers(config())).isNotNull();
        assertThat(SettingWarnings.certificateWarnings(config()))
                .singleElement()
                .asString()
                .endsWith("by a password of security.users (SCRAM), a token or PLAIN");
    }

    /// Beyond loopback tokens and PLAIN need TLS, or that others may read them.
    @Test
    void shouldTakeNoTokensForAWayWithoutTlsBeyondLoopback() {
        settings.put("tls.jms", "false");
        settings.put("security.ldap.url", "ldaps://ds.example");
        settings.put("security.ldap.user-dn", "uid=${user},dc=acme");
        assertThat(RunningConfig.certificateUsers(config())).isNotNull();

        settings.put("transport.bind", "0.0.0.0");
        refused("or security.users, or security.allow-plain-text-passwords=true with security");
        settings.put("security.allow-plain-text-passwords", "true");
        assertThat(RunningConfig.certificateUsers(config())).isNotNull();

        settings.put("security.allow-plain-text-passwords", "false");
        settings.put("security.users", "users");
        assertThat(RunningConfig.certificateUsers(config())).isNotNull();
        assertThat(SettingWarnings.certificateWarnings(config()))
                .singleElement()
                .asString()
                .contains("a token or PLAIN needs security.allow-plain-text-passwords=true");
    }
}
