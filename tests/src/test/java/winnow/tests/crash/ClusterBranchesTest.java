package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.XAJMSContext;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowXAConnectionFactory;
import winnow.tests.TestXid;

/// Distributed transactions outlive the leader that has prepared them: the next one knows them, and
/// each is decided once.
class ClusterBranchesTest {
    private static final int ROUNDS = Integer.getInteger("winnow.takeovers", 4) / 2;
    private static final long WAIT_MILLIS = 20_000;
    private static final long SILENCE_MILLIS = 200;
    private static final long LOOK_MILLIS = 50;
    private static final long PAUSE_SECONDS = 4;
    private static final List<String> OPTIONS = List.of("-Xmx128m");

    @TempDir private Path temporary = Path.of("");

    @Test
    void shouldDecideOnTheNextLeaderWhatWasPreparedOnAnother() throws Exception {
        try (ClusterProcesses cluster = new ClusterProcesses(temporary, OPTIONS)) {
            // given
            cluster.start();
            try (XAJMSContext context = context(cluster)) {
                XAResource resource = context.getXAResource();
                JMSConsumer in = context.createConsumer(context.createQueue("in"));
                for (int number = 1; number <= 4; number++) {
                    move(context, in, number);
                }
                for (int number = 1; number <= 3; number++) {
                    assertThat(resource.prepare(new TestXid(number))).isEqualTo(XAResource.XA_OK);
                }

                // when
                cluster.kill(cluster.leader());

                // then
                assertThat(prepared(resource)).containsExactlyInAnyOrder(1, 2, 3);
                resource.commit(new TestXid(1), false);
                fails(XAException.XA_RBROLLBACK, () -> resource.prepare(new TestXid(4)));
                fails(XAException.XAER_NOTA, () -> resource.forget(new TestXid(3)));
            }
            try (XAJMSContext manager = context(cluster)) {
                assertThat(prepared(manager.getXAResource())).containsExactlyInAnyOrder(2, 3);
                manager.getXAResource().rollback(new TestXid(2));
            }

            // when
            cluster.start();
            cluster.awaitTogether();
            cluster.kill(cluster.leader());

            // then
            try (XAJMSContext manager = context(cluster)) {
                XAResource resource = manager.getXAResource();
                assertThat(prepared(resource)).containsExactly(3);
                fails(XAException.XAER_NOTA, () -> resource.commit(new TestXid(1), false));
                fails(XAException.XAER_NOTA, () -> resource.rollback(new TestXid(2)));
                expect(manager, "out", "message 1");
                resource.commit(new TestXid(3), false);
                expect(manager, "out", "message 3");
                expect(manager, "in", "message 2", "message 4");
                assertThat(prepared(resource)).isEmpty();
            }
            cluster.start();
            assertAllAlike(cluster);
        }
    }

    @Test
    void shouldMoveEachMessageOnceWhileLeadersDieAndStandStill() throws Exception {
        try (ClusterProcesses cluster = new ClusterProcesses(temporary, OPTIONS)) {
            // given
            cluster.start();
            ClusterSender sender = new ClusterSender(cluster, "s");
            BranchMover mover =
                    new BranchMover(
                            cluster.url() + "?heartbeat=1000", ClusterSender.QUEUE, "moved");

            // when
            for (int round = 0; round < ROUNDS; round++) {
                mover.await(50);
                String leader = cluster.leader();
                if (round % 2 == 0) {
                    cluster.kill(leader);
                    mover.await(1);
                    cluster.start();
                } else {
                    cluster.pause(leader);
                    TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
                    cluster.resume();
                }
            }
            mover.await(50);
            sender.stop();
            mover.stop();

            // then
            String url = cluster.process(cluster.leader()).url();
            Set<String> left = ClusterSender.stored(url, ClusterSender.QUEUE);
            Set<String> moved = ClusterSender.stored(url, "moved");
            System.out.printf(
                    "%d leaders lost: %d confirmed, %d moved, %d branches recovered, %d left%n",
                    ROUNDS,
                    sender.confirmed().size(),
                    moved.size(),
                    mover.recovered(),
                    left.size());
            assertThat(moved).isEqualTo(mover.moved());
            assertThat(left).doesNotContainAnyElementsOf(moved);
            Set<String> all = new HashSet<>(left);
            all.addAll(moved);
            assertThat(all).containsAll(sender.confirmed());
            try (XAJMSContext manager = context(cluster)) {
                assertThat(prepared(manager.getXAResource())).isEmpty();
            }
            assertAllAlike(cluster);
        }
    }

    private static void assertAllAlike(ClusterProcesses cluster) throws Exception {
        List<Map<String, String>> rows = cluster.rows();
        assertThat(rows).hasSize(3);
        assertThat(rows.get(1)).isEqualTo(rows.get(0));
        assertThat(rows.get(2)).isEqualTo(rows.get(0));
    }

    private static XAJMSContext context(ClusterProcesses cluster) {
        return new WinnowXAConnectionFactory(cluster.url() + "?heartbeat=1000").createXAContext();
    }

    /// Sends a message, receives it and sends it on, in a branch that is not prepared.
    private static void move(XAJMSContext context, JMSConsumer in, int number) throws XAException {
        String text = "message " + number;
        context.createProducer().send(context.createQueue("in"), text);
        context.getXAResource().start(new TestXid(number), XAResource.TMNOFLAGS);
        Message received = in.receive(WAIT_MILLIS);
        context.createProducer().send(context.createQueue("out"), received);
        context.getXAResource().end(new TestXid(number), XAResource.TMSUCCESS);
    }

    /// Numbers of the branches that are prepared, as soon as a node leads and tells.
    private static List<Integer> prepared(XAResource resource) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS);
        while (true) {
            try {
                Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
                return Stream.of(found).map(xid -> (int) xid.getGlobalTransactionId()[0]).toList();
            } catch (XAException e) {
                if (e.errorCode != XAException.XAER_RMFAIL || System.nanoTime() > deadline) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    private static void fails(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(e.errorCode).isEqualTo(code));
    }

    /// Expects these texts in a queue, marked as redelivered if they come from the first one, and
    /// no others.
    private static void expect(JMSContext context, String name, String... texts) throws Exception {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(name))) {
            for (String text : texts) {
                Message message = consumer.receive(WAIT_MILLIS);
                assertThat(message).as("a message of " + name).isNotNull();
                assertThat(message.getBody(String.class)).isEqualTo(text);
                assertThat(message.getJMSRedelivered()).isEqualTo(name.equals("in"));
            }
            assertThat(consumer.receive(SILENCE_MILLIS)).isNull();
        }
    }
}
