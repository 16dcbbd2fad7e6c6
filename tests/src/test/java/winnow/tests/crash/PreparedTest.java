package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.XAJMSContext;
import java.nio.file.Path;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowXAConnectionFactory;
import winnow.tests.TestXid;

/// Prepared transactions outlive a broker that is killed.
class PreparedTest {
    private static final long WAIT_MILLIS = 20_000;
    private static final long SILENCE_MILLIS = 200;
    private static final List<String> OPTIONS = List.of("-Xmx128m");

    @TempDir private Path temporary = Path.of("");

    @Test
    void shouldDecideAfterTheBrokerWasKilled() throws Exception {
        Path data = temporary.resolve("data");
        try (BrokerProcess broker = BrokerProcess.start(data, OPTIONS, List.of());
                XAJMSContext context = context(broker)) {
            JMSConsumer in = context.createConsumer(context.createQueue("in"));
            for (int number = 1; number <= 3; number++) {
                String text = "message " + number;
                context.createProducer().send(context.createQueue("in"), text);
                move(context, in, number);
            }
            context.getXAResource().prepare(new TestXid(1));
            context.getXAResource().prepare(new TestXid(2));
            broker.kill();
        }

        try (BrokerProcess broker = BrokerProcess.start(data, OPTIONS, List.of());
                XAJMSContext context = context(broker)) {
            XAResource resource = context.getXAResource();
            Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
            assertThat(found).hasSize(2);
            for (Xid xid : found) {
                if (new TestXid(1).names(xid)) {
                    resource.commit(xid, false);
                } else {
                    resource.rollback(xid);
                }
            }
            expect(context, "out", "message 1");
            expect(context, "in", "message 2", "message 3");
            broker.kill();
        }

        try (BrokerProcess broker = BrokerProcess.start(data, OPTIONS, List.of());
                XAJMSContext context = context(broker)) {
            assertThat(context.getXAResource().recover(XAResource.TMSTARTRSCAN)).isEmpty();
            assertThat(broker.stop()).isZero();
        }
    }

    private static XAJMSContext context(BrokerProcess broker) {
        return new WinnowXAConnectionFactory(broker.url()).createXAContext();
    }

    /// Receives a message and sends it on, in a branch that is not prepared.
    private static void move(XAJMSContext context, JMSConsumer in, int number) throws XAException {
        context.getXAResource().start(new TestXid(number), XAResource.TMNOFLAGS);
        Message received = in.receive(WAIT_MILLIS);
        context.createProducer().send(context.createQueue("out"), received);
        context.getXAResource().end(new TestXid(number), XAResource.TMSUCCESS);
    }

    /// Expects these texts in a queue, marked as redelivered if they come from the first one, and
    /// no others.
    private static void expect(JMSContext context, String name, String... texts) throws Exception {
        Queue queue = context.createQueue(name);
        try (JMSConsumer consumer = context.createConsumer(queue)) {
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
