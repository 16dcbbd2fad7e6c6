package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
