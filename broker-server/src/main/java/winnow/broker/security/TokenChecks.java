package winnow.broker.security;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;
import winnow.broker.identity.RefusedIdentity;
import winnow.broker.identity.Tokens;
import winnow.broker.identity.UnknownKey;
import winnow.broker.metrics.WaitTimes;

/// Checks tokens on a thread of its own, one after the other; [CheckOrder] says which comes next
/// and which are too many. A token whose key is not known waits until the issuer's keys were read
/// again, once, and delays no other. Thread-safe: by its own lock.
final class TokenChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TokenChecks.class);

    /// A check takes less than a millisecond; those that wait for keys count as well.
    static final int MAX_WAITING = 256;

    private static final String FULL = "too many authentications are waiting, try again";

    private final Tokens tokens;
    private final WaitTimes times;
    private final ThreadPoolExecutor executor;
    private final CheckOrder<TokenCheck> order = new CheckOrder<>();

    /// In the order in which they came, without the one that runs.
    private final Set<TokenCheck> waiting = new LinkedHashSet<>();

    /// The read of keys that has [#unpark] called, null before the first.
    private @Nullable CompletionStage<Void> awaited;

    private boolean working;
    private volatile boolean closed;

    /// @param times from the arrival of tokens to their results
    TokenChecks(Tokens tokens, WaitTimes times) {
        this.tokens = tokens;
        this.times = times;
        executor = CheckThreads.of("winnow-tokens", 1);
    }

    private static final class TokenCheck implements CheckOrder.Waiting {
        final String token;
        final CheckOrder.Origin origin;
        final Consumer<LoginResult> result;
        final long beganNanos = System.nanoTime();

        /// True while it waits for keys.
        boolean parked;

        /// The read that it waits for, null if none.
        @Nullable CompletionStage<Void> read;

        /// True if keys were read for it.
        boolean last;

        /// True if nobody waits for the result. A check that runs sees it when it ends.
        volatile boolean givenUp;

        TokenCheck(String token, String address, Consumer<LoginResult> result) {
            this.token = token;
            this.origin = new CheckOrder.Origin(address, address);
            this.result = result;
        }

        @Override
        public CheckOrder.Origin origin() {
            return origin;
        }
    }

    /// Tells the result as [Authenticator#authenticate] does.
    ///
    /// @return gives the attempt up
    Runnable check(String token, String address, Consumer<LoginResult> result) {
        TokenCheck check = new TokenCheck(token, address, result);
        List<TokenCheck> refused = add(check);
        refuse(refused);
        return refused.contains(check) ? () -> {} : () -> giveUp(check);
    }

    /// @return those for which there is no room any more, perhaps this one
    private synchronized List<TokenCheck> add(TokenCheck check) {
        TokenCheck displaced = null;
        if (closed) {
            return List.of(check);
        }
        if (check.givenUp) {
            return List.of();
        }
        if (waiting.size() >= MAX_WAITING) {
            displaced = CheckOrder.leastEntitled(waiting, check);
            if (displaced == check) {
                return List.of(check);
            }
            waiting.remove(displaced);
        }
        waiting.add(check);
        work();
        return displaced == null ? List.of() : List.of(displaced);
    }

    /// Has the thread work. With the lock.
    private void work() {
        if (!working && !closed) {
            working = true;
            executor.execute(this::runAll);
        }
    }

    private void runAll() {
        for (TokenCheck check = next(); check != null; check = next()) {
            run(check);
        }
    }

    private synchronized @Nullable TokenCheck next() {
        TokenCheck next =
                closed ? null : order.next(waiting.stream().filter(one -> !one.parked).toList());
        working = next != null;
        if (next != null) {
            waiting.remove(next);
        }
        return next;
    }

    private void run(TokenCheck check) {
        try {
            decide(check, LoginResult.of(tokens.check(check.token)));
        } catch (UnknownKey e) {
            if (check.last) {
                decide(check, unknown(e));
            } else {
                park(check);
            }
        } catch (RefusedIdentity e) {
            decide(check, LoginResult.refused(String.valueOf(e.getMessage())));
        } catch (Throwable fault) {
            FatalErrors.endIfFatal(fault);
            LOG.error("Cannot check a token", fault);
            decide(
                    check,
                    LoginResult.undecided(
                            "the token could not be checked; the broker's log says why"));
        }
    }

    private void decide(TokenCheck check, LoginResult result) {
        times.record(System.nanoTime() - check.beganNanos);
        tell(check, result);
    }

    private LoginResult unknown(UnknownKey refusal) {
        return tokens.keysFailed()
                ? LoginResult.undecided(
                        "token: the issuer's keys cannot be read at the moment; the broker's log"
                                + " says why")
                : LoginResult.refused(String.valueOf(refusal.getMessage()));
    }

    private void park(TokenCheck check) {
        check.parked = true;
        List<TokenCheck> refused = add(check);
        refuse(refused);
        if (!check.givenUp && !refused.contains(check)) {
            await(check, tokens.refresh());
        }
    }

    /// Has all that wait for a read told by one callback, so that it keeps none of those that were
    /// given up.
    private void await(TokenCheck check, CompletionStage<Void> read) {
        boolean first;
        synchronized (this) {
            check.read = read;
            first = !read.equals(awaited) || read.toCompletableFuture().isDone();
            awaited = read;
        }
        if (first) {
            var _ = read.thenRun(() -> unpark(read));
        }
    }

    /// Number of tokens that wait for keys.
    synchronized long parked() {
        return waiting.stream().filter(one -> one.parked).count();
    }

    private void refuse(List<TokenCheck> refused) {
        String why = closed ? "the broker is stopping" : FULL;
        refused.forEach(one -> tell(one, LoginResult.undecided(why)));
    }

    private synchronized void unpark(CompletionStage<Void> read) {
        for (TokenCheck check : waiting) {
            if (read.equals(check.read)) {
                check.parked = false;
                check.last = true;
            }
        }
        work();
    }

    private static void tell(TokenCheck check, LoginResult result) {
        if (check.givenUp) {
            return;
        }
        try {
            check.result.accept(result);
        } catch (Throwable fault) {
            FatalErrors.endIfFatal(fault);
            LOG.error("Cannot tell the result of an authentication", fault);
        }
    }

    private synchronized void giveUp(TokenCheck check) {
        check.givenUp = true;
        waiting.remove(check);
    }

    @Override
    public synchronized void close() {
        closed = true;
        executor.shutdownNow();
        tokens.close();
    }
}
