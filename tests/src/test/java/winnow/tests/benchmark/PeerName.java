package winnow.tests.benchmark;

import winnow.tests.selector.ArtemisExpressionPeer;
import winnow.tests.selector.ArtemisPeer;
import winnow.tests.selector.ClassicPeer;

/// The peers in the columns of the table.
public enum PeerName {
    ARTEMIS,
    ARTEMIS_EXPRESSION,
    CLASSIC;

    PeerTopic<?> topic(Workload workload) {
        return switch (this) {
            case ARTEMIS -> new PeerTopic<>(new ArtemisPeer(), workload);
            case ARTEMIS_EXPRESSION -> new PeerTopic<>(new ArtemisExpressionPeer(), workload);
            case CLASSIC -> new PeerTopic<>(new ClassicPeer(), workload);
        };
    }
}
