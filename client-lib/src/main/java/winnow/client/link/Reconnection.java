package winnow.client.link;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.log.ClientLog;
import winnow.client.transport.WireConnection;
import winnow.client.transport.connect.ConnectRounds;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;

/// Brings one [BrokerLink] back whose connection was lost: makes another one, has restored what the
/// broker has to know, and sends again what was not answered. In a thread of its own, which ends
/// when the link is connected, is closed, or no more attempts are allowed.
final class Reconnection implements Runnable {
    private static final Logger LOG = ClientLog.of(Reconnection.class);

    /// Longest wait for what the lost connection still brings.
    private static final long QUIET_MILLIS = 1000;

    /// Longest pause after a connection that was lost soon: the broker is there, and threads wait.
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long CLOSE_MILLIS = 1000;

    private final BrokerLink link;
    private final ReturnTerms terms;
    private final LinkOwner owner;
    private final Thread thread = new Thread(null, this, "winnow-reconnect", 0, false);
    private final Random random = new Random();
    private volatile @Nullable ConnectRounds rounds;
    private volatile boolean stopped;
    private @Nullable Loss lastLoss;

    Reconnection(BrokerLink link, ReturnTerms terms, LinkOwner owner) {
        this.link = link;
        this.terms = terms;
        this.owner = owner;
        thread.setDaemon(true);
        thread.setContextClassLoader(Reconnection.class.getClassLoader());
    }

    void start() {
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            link.giveUp(
                    new TransportException(
                            LocalFailure.CONNECTION_LOST,
                            "no thread could be started that comes back to the broker",
                            e));
        }
    }

    /// Ends it soon.
    void stop() {
        stopped = true;
        thread.interrupt();
    }

    /// Rounds of attempts so far, for people; empty before the first has failed.
    String tried() {
        ConnectRounds trying = rounds;
        return trying == null ? "" : trying.tried();
    }

    @Override
    public void run() {
        try {
            comeBack();
        } catch (InterruptedException e) {
            LOG.debug("does not come back: the connection is closed");
        } catch (TransportException e) {
            link.giveUp(afterLoss(e));
        } catch (RuntimeException | Error e) {
            LOG.error("cannot come back to the broker", e);
            link.giveUp(
                    new TransportException(
                            LocalFailure.CONNECTION_LOST, "cannot come back to the broker", e));
        }
    }

    /// The failure to come back, with the loss that it followed.
    private TransportException afterLoss(TransportException failure) {
        Loss last = lastLoss;
        if (last == null) {
            return failure;
        }
        String text = last.text() + "; " + failure.getMessage();
        return failure.local() == null
                ? new TransportException(failure.code(), text)
                : new TransportException(failure.local(), text, failure.getCause());
    }

    private void comeBack() throws TransportException, InterruptedException {
        Loss loss = link.awaitLoss();
        while (loss != null) {
            lastLoss = loss;
            Current before = loss.lost();
            before.wire().awaitQuiet(QUIET_MILLIS);
            owner.detach(loss.cause());
            pause(link.shortConnections().count());
            Current next = connect(before);
            if (use(next, loss)) {
                link.sendAgain(next);
            }
            loss = link.awaitLoss();
        }
    }

    private boolean use(Current next, Loss loss) {
        boolean used = false;
        try {
            owner.restore(next);
            used = link.use(next, loss.length());
            return used;
        } finally {
            if (!used) {
                next.wire().close(CLOSE_MILLIS);
                next.wire().awaitQuiet(QUIET_MILLIS);
            }
        }
    }

    private void pause(int shortLived) throws InterruptedException {
        long nanos = TimeUnit.MILLISECONDS.toNanos(terms.initialDelayMillis());
        if (shortLived > 0) {
            ConnectionTarget target = link.target();
            long longest = target.retry().longestPauseNanos(shortLived);
            nanos += (long) (random.nextDouble() * Math.min(longest, MAX_PAUSE_NANOS));
        }
        TimeUnit.NANOSECONDS.sleep(nanos);
    }

    private Current connect(Current before) throws TransportException, InterruptedException {
        ConnectRounds trying =
                new ConnectRounds(link.target().returning(terms.maxRounds()), link.events());
        rounds = trying;
        try {
            WireConnection made = trying.connect();
            return Current.of(made, before.epoch() + 1);
        } catch (TransportException e) {
            if (stopped) {
                throw new InterruptedException("the connection is closed");
            }
            throw e;
        }
    }
}
