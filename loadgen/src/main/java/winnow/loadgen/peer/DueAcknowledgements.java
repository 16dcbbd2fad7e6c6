package winnow.loadgen.peer;

import java.util.HashSet;
import java.util.Set;
import winnow.loadgen.run.LoadException;

/// Acknowledgements of one round that have not come. One that comes twice does not make up for
/// another. Used by one thread.
final class DueAcknowledgements {

    private final PeerLoad load;
    private final Set<Key> missing = new HashSet<>();
    private long again;

    private record Key(String message, int receiver) {}

    DueAcknowledgements(PeerLoad load) {
        this.load = load;
    }

    /// A message is on its way.
    ///
    /// @param message its ID
    /// @param producer number of the producer, which has a receiver of its own by queues
    void sent(String message, int producer) {
        switch (load.way()) {
            case QUEUES -> missing.add(new Key(message, producer));
            case TOPIC -> {
                for (var receiver = 0; receiver < load.receivers(); receiver++) {
                    missing.add(new Key(message, receiver));
                }
            }
        }
    }

    /// A receiver has acknowledged a message.
    ///
    /// @param message its ID
    /// @throws LoadException if more of them come again than are due at all
    void arrived(String message, int receiver) throws LoadException {
        if (!missing.remove(new Key(message, receiver))) {
            again++;
            if (again > load.acknowledgements()) {
                throw new LoadException(
                        "expected %,d acknowledgements, of which %,d are missing, found %,d others"
                                .formatted(load.acknowledgements(), missing.size(), again));
            }
        }
    }

    int missing() {
        return missing.size();
    }
}
