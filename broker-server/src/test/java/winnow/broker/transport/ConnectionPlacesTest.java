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
        private boolean loggedIn;
        private boolean displaced;

        Client(String addressBlock) {
            this.addressBlock = addressBlock;
        }

        @Override
        public String addressBlock() {
            return addressBlock;
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
            assertThat(places.take(client, 10, 9)).isEmpty();
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
        assertThat(places.take(new Client("a"), 10, 9))
                .isEqualTo("transport.max-connections-per-address is 9, all are in use by a");
        take(1, "b").getFirst().loggedIn = true;
        assertThat(places.take(new Client("c"), 10, 9))
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
        assertThat(places.take(new Client("a"), 10, 9)).isNotEmpty();
    }
}
