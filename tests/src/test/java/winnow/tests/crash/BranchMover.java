package winnow.tests.crash;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.XAJMSContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import winnow.client.WinnowXAConnectionFactory;
import winnow.tests.TestXid;

/// Moves messages from one queue to another, each in a distributed transaction of its own, over one
/// connection. It is the transaction manager, too: it decides to commit what is prepared, and after
/// an error it commits what it has decided and rolls back what it has not.
final class BranchMover {
    private static final long RECEIVE_MILLIS = 500;
    private static final long RETRY_MILLIS = 50;
    private static final long TIMEOUT_SECONDS = 60;

    private final String url;
    private final String from;
    private final String to;
    private final Thread thread;

    /// Branches to commit, which a transaction manager keeps on its disk.
    private final Set<Integer> decided = ConcurrentHashMap.newKeySet();

    /// Identifiers of the messages in these.
    private final Set<String> moved = ConcurrentHashMap.newKeySet();

    private final AtomicInteger recovered = new AtomicInteger();
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    /// Begins to move.
    BranchMover(String url, String from, String to) {
        this.url = url;
        this.from = from;
        this.to = to;
        thread = Thread.ofPlatform().daemon().name("branches").start(this::run);
    }

    private void run() {
        try (XAJMSContext context = new WinnowXAConnectionFactory(url).createXAContext()) {
            XAResource resource = context.getXAResource();
            JMSConsumer consumer = context.createConsumer(context.createQueue(from));
            for (int number = 0; !stopping; number++) {
                Xid xid = new TestXid(number);
                try {
                    move(context, consumer, xid, number);
                } catch (XAException | JMSRuntimeException e) {
                    abandon(resource, xid, number);
                    recover(resource);
                }
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void move(XAJMSContext context, JMSConsumer consumer, Xid xid, int number)
            throws Exception {
        XAResource resource = context.getXAResource();
        resource.start(xid, XAResource.TMNOFLAGS);
        Message message = consumer.receive(RECEIVE_MILLIS);
        if (message != null) {
            context.createProducer().send(context.createQueue(to), message);
        }
        resource.end(xid, XAResource.TMSUCCESS);
        if (resource.prepare(xid) == XAResource.XA_OK && message != null) {
            moved.add(message.getStringProperty(ClusterSender.ID));
            decided.add(number);
            resource.commit(xid, false);
        }
    }

    /// Ends the work for a branch. It fails where there is none.
    private void abandon(XAResource resource, Xid xid, int number) {
        try {
            resource.end(xid, XAResource.TMFAIL);
        } catch (XAException e) {
            // It has ended its work before.
        }
        if (!decided.contains(number)) {
            try {
                resource.rollback(xid);
            } catch (XAException e) {
                // If it was prepared, recovery finds it.
            }
        }
    }

    /// Decides all that is prepared, as soon as a node leads.
    private void recover(XAResource resource) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (true) {
            try {
                for (Xid xid : resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)) {
                    recovered.incrementAndGet();
                    if (decided.stream().anyMatch(number -> new TestXid(number).names(xid))) {
                        resource.commit(xid, false);
                    } else {
                        resource.rollback(xid);
                    }
                }
                return;
            } catch (XAException e) {
                if (e.errorCode != XAException.XAER_RMFAIL || System.nanoTime() > deadline) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
    }

    /// Identifiers of the messages whose branches are to be committed, so far.
    Set<String> moved() {
        return moved;
    }

    /// Number of branches that recovery has decided.
    int recovered() {
        return recovered.get();
    }

    /// Waits until so many more are moved.
    void await(int more) throws InterruptedException {
        int wanted = moved.size() + more;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (moved.size() < wanted) {
            if (System.nanoTime() > deadline || !thread.isAlive()) {
                throw new AssertionError(
                        "expected %d moved messages, found %d".formatted(wanted, moved.size()),
                        failure);
            }
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
    }

    /// Ends when the last branch is decided.
    void stop() throws InterruptedException {
        stopping = true;
        thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
        if (thread.isAlive() || failure != null) {
            throw new AssertionError("the transaction manager has not ended in order", failure);
        }
    }
}
