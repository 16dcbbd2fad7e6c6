package winnow.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressBlockTest {
    @Test
    void shouldCountAnIpv4AddressAlone() {
        assertThat(AddressBlock.of("127.0.0.2")).isEqualTo("127.0.0.2");
        assertThat(AddressBlock.network("127.0.0.2")).isEqualTo("127.0.0.2");
    }

    @Test
    void shouldCountNetworksOfIpv6AsOne() {
        String address = "2001:db8:1:2:3:4:5:6";

        assertThat(AddressBlock.of(address)).isEqualTo("2001:db8:1:2::/64");
        assertThat(AddressBlock.network(address)).isEqualTo("2001:db8:1::/48");
    }
}
