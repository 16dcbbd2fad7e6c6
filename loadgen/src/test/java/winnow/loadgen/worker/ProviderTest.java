package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.loadgen.fake.PropertyConnectionFactory;

class ProviderTest {
    @Test
    void shouldShowNoPassword() {
        Provider provider =
                new Provider(
                        Provider.WINNOW_FACTORY, "winnow://h?password=hidden", "ann", "secret");

        assertThat(provider.toString())
                .contains("ann")
                .doesNotContain("secret")
                .doesNotContain("hidden");
    }

    @ParameterizedTest
    @CsvSource({"''", "?sendTimeout=1000"})
    void shouldNotComeBackWhileItMeasures(String options) {
        var url = "winnow://h" + options;

        assertThat(new Provider(Provider.WINNOW_FACTORY, url, "", "").measured().url())
                .startsWith(url)
                .endsWith("maxReconnectAttempts=0");
    }

    @Test
    void shouldLeaveToTheUserWhetherItComesBack() {
        var given =
                new Provider(Provider.WINNOW_FACTORY, "winnow://h?maxReconnectAttempts=5", "", "");

        assertThat(given.measured()).isEqualTo(given);
        assertThat(properties("b=2").measured()).isEqualTo(properties("b=2"));
    }

    @Test
    void shouldSetPropertiesOfAFactoryWithoutAConstructorForAUrl() {
        // given
        Provider provider = properties("list=mq://h:1/jms;b=2");

        // then
        assertThatThrownBy(provider::connect).hasMessage("connected with {b=2, list=mq://h:1/jms}");
    }

    @Test
    void shouldSayHowSuchAFactoryWantsItsUrl() {
        // given
        Provider provider = properties("mq://h:1");

        // then
        assertThatThrownBy(provider::connect)
                .isInstanceOf(RefusedUrlException.class)
                .hasMessageContaining("expected name=value")
                .hasMessageContaining("found 'mq://h:1'");
    }

    private static Provider properties(String url) {
        return new Provider(PropertyConnectionFactory.class.getName(), url, "", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "winnow://127.0.0.1:61616 | true",
                "winnow://localhost,[::1]:7?username=a,b | true",
                "winnow://far:1 | false",
                "winnow://127.0.0.1:1,far:1 | false",
                "winnow://far:1,127.0.0.1:1 | false",
                "failover:(tcp://localhost:1,tcp://127.0.0.1:2)?x=1 | true",
                "failover:(tcp://localhost:1,tcp://far:2) | false",
            })
    void shouldTellIfAllHostsAreThisMachine(String url, boolean expected) {
        assertThat(new Provider("x.Factory", url, "", "").isOnThisMachine()).isEqualTo(expected);
    }
}
