package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.broker.ClusterRig.awaitLeader;
import static winnow.broker.ClusterRig.freePorts;
import static winnow.broker.ClusterRig.members;

import com.nimbusds.jose.jwk.ECKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.identity.TestIssuer;
import winnow.wire.Protocol;
import winnow.wire.bearer.BearerMessage;
import winnow.wire.frame.ControlFrame;

/// Tokens in a cluster whose lead changes while their issuer is away.
class ClusterTokensTest {
    @TempDir private Path directory;

    private final TestIssuer issuer = new TestIssuer();
    private final ECKey key = TestIssuer.ec("one");
    private ClusterRig rig;

    ClusterTokensTest() throws Exception {
        issuer.publish(key);
    }

    @BeforeEach
    void make() {
        rig = new ClusterRig(directory);
    }

    @AfterEach
    void stop() throws InterruptedException {
        rig.stop();
        issuer.close();
    }

    private void login(ClusterBroker node) throws Exception {
        String token = TestIssuer.token(key, TestIssuer.claims("ann"));
        try (TestClient client = new TestClient(node.address())) {
            client.hello(
                    new ControlFrame.Hello(
                            Protocol.STORED,
                            "",
                            BearerMessage.MECHANISM,
                            BearerMessage.of(token).text(),
                            0,
                            "test"));
            client.expect(ControlFrame.Welcome.class);
        }
    }

    @Test
    void shouldKnowTheKeysWhoeverLeads() throws Exception {
        // given
        String members = members(freePorts(3));
        List<ClusterBroker> all = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            all.add(rig.start(members, name, issuer.settings()));
        }
        ClusterBroker leader = awaitLeader(all.toArray(ClusterBroker[]::new));
        login(leader);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (issuer.reads() < all.size() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(issuer.reads()).isGreaterThanOrEqualTo(all.size());

        // when
        issuer.close();
        all.remove(leader);
        leader.close();

        // then
        login(awaitLeader(all.toArray(ClusterBroker[]::new)));
    }
}
