package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionPlacesTest {
    private final ConnectionPlaces places = new ConnectionPlaces();

    /// A connection that notes what becomes of it.
    private static final class Client implements ConnectionPlaces.Place {
        private final String addressBlock;
        private final String network;
        private boolean loggedIn;
        private boolean displaced;

        Client(String addressBlock) {
            this(addressBlock, addressBlock);
        }

        Client(String addressBlock, String network) {
            this.addressBlock = addressBlock;
            this.network = network;
        }

        @Override
        public String addressBlock() {
            return addressBlock;
        }

        @Override
        public String network() {
            return network;
        }

        @Override
        public boolean isLoggedIn() {
            return loggedIn;
        }

        @Override
        public void onDisplaced() {
            displaced = true;
        }
    }

    private List<Client> take(int count, String addressBlock) {
        List<Client> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Client client = new Client(addressBlock);
            assertThat(places.take(client, 100, 10, 9)).isEmpty();
            taken.add(client);
        }
        return taken;
    }

    @Test
    void shouldDisplaceTheOldestOfTheAddressThatHasMost() {
        // given
        Client before = take(1, "a").getFirst();
        List<Client> many = take(6, "b");
        take(3, "c");

        // when
        take(2, "d");

        // then
        assertThat(many).filteredOn(one -> one.displaced).containsExactly(many.get(0), many.get(1));
        assertThat(before.displaced).isFalse();
    }

    @Test
    void shouldLeaveAPlaceToOtherAddresses() {
        // given
        List<Client> many = take(9, "a");
        many.forEach(one -> one.loggedIn = true);

        // then
        assertThat(places.take(new Client("a"), 100, 10, 9))
                .isEqualTo("transport.max-connections-per-address is 9, all are in use by a");
        take(1, "b").getFirst().loggedIn = true;
        assertThat(places.take(new Client("c"), 100, 10, 9))
                .isEqualTo("transport.max-connections is 10");

        // when
        places.end(many.getFirst());

        // then
        take(1, "c");
    }

    @Test
    void shouldCountADisplacedConnectionOnce() {
        // given
        List<Client> many = take(9, "a");
        take(1, "a");
        assertThat(many.getFirst().displaced).isTrue();

        // when it closes
        places.end(many.getFirst());
        many.forEach(one -> one.loggedIn = true);

        // then the one that took its place makes way, and nobody else
        take(1, "a").getFirst().loggedIn = true;
        assertThat(places.take(new Client("a"), 100, 10, 9)).isNotEmpty();
    }

    @Test
    void shouldCountTheBlocksOfANetworkTogetherWhereMemoryIsShort() {
        // given a client with a block for each connection
        int open = 0;
        String refusal = "";
        while (refusal.isEmpty()) {
            Client client = new Client("block " + open, "network");
            client.loggedIn = true;
            refusal = places.take(client, 16, 1000, 900);
            open += refusal.isEmpty() ? 1 : 0;
        }

        // then
        assertThat(open).isEqualTo(14);
        assertThat(refusal).startsWith("network has 14 connections");
        for (int i = 0; i < 8; i++) {
            assertThat(places.take(new Client("another"), 14, 1000, 900)).isEmpty();
        }
    }

    @Test
    void shouldLeaveOthersPlacesWhateverBlocksANetworkHas() {
        // given a client with two blocks, of which each may have nine of ten places
        String refusal = "";
        int open = 0;
        for (; refusal.isEmpty(); open++) {
            Client client = new Client("block " + open % 2, "network");
            client.loggedIn = true;
            refusal = places.take(client, 1000, 10, 9);
        }

        // then
        assertThat(open).isEqualTo(10);
        assertThat(refusal)
                .isEqualTo(
                        "network has 9 connections, and leaves others an eighth of"
                                + " transport.max-connections, 10");
        assertThat(places.take(new Client("another"), 1000, 10, 9)).isEmpty();
    }

    @Test
    void shouldLetNewcomersInWhateverMemoryOneAddressHasUsedUp() {
        // given memory for 16 connections, of which one address leaves others an eighth
        for (int i = 0; i < 14; i++) {
            Client client = new Client("a");
            client.loggedIn = true;
            assertThat(places.take(client, 16, 100, 90)).isEmpty();
        }
        assertThat(places.take(new Client("a"), 16, 100, 90))
                .isEqualTo(
                        "a has 14 connections, and the broker's heap has room for 16 of all"
                                + " addresses now");

        // when something else takes the rest
        int fitting = 14;

        // then
        for (int i = 0; i < 8; i++) {
            assertThat(places.take(new Client("b"), fitting, 100, 90)).isEmpty();
        }
        assertThat(places.take(new Client("a"), fitting, 100, 90)).isNotEmpty();
    }
}
