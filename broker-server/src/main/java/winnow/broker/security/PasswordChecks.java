package winnow.broker.security;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;
import winnow.broker.identity.ProvenUser;

/// Checks passwords, which takes long, on a thread of its own and one after the other: which comes
/// next and which are too many says [CheckOrder]. What was right once is remembered as a keyed
/// digest and waits for nothing; attempts with the same credentials share a check. Thread-safe: by
/// its own lock.
final class PasswordChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordChecks.class);

    /// A check takes 12 ms, so the last one has its answer after 3 s, within the default of
    /// `transport.handshake-timeout`.
    static final int MAX_WAITING = 256;

    private static final int MAX_REMEMBERED = 1_000;

    private static final LoginResult FULL =
            LoginResult.undecided("too many authentications are waiting, try again");

    /// Credentials that are right, of whoever has given them.
    private static final LoginResult RIGHT = LoginResult.of(ProvenUser.nobody());

    private final BiPredicate<String, String> matches;
    private final KeyedDigest digests = new KeyedDigest();
    private final ThreadPoolExecutor executor;
    private final CheckOrder<Check> order = new CheckOrder<>();

    /// By digest, in the order in which they came, the one that runs included.
    private final Map<String, Check> waiting = new LinkedHashMap<>();

    private final Map<String, Boolean> remembered =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    private @Nullable Check running;

    /// True if what [#running] finds may be remembered and shared by those who come now.
    private boolean current;

    private boolean working;
    private boolean closed;

    /// @param matches whether a user has a password; takes its time
    PasswordChecks(BiPredicate<String, String> matches) {
        this.matches = matches;
        executor = CheckThreads.of("winnow-authentication", 1);
    }

    private static final class Check implements CheckOrder.Waiting {
        final String user;
        final String password;
        final String digest;
        final CheckOrder.Origin origin;
        final List<Consumer<LoginResult>> results = new ArrayList<>();

        Check(String user, String password, String digest, CheckOrder.Origin origin) {
            this.user = user;
            this.password = password;
            this.digest = digest;
            this.origin = origin;
        }

        @Override
        public CheckOrder.Origin origin() {
            return origin;
        }
    }

    /// State of an attempt that has begun.
    ///
    /// @param check that it waits for, null if it is decided
    /// @param told those who are told now
    /// @param result what they are told
    private record Begun(
            @Nullable Check check, List<Consumer<LoginResult>> told, LoginResult result) {}

    /// Tells the result as [Authenticator#authenticate] does, but for the user whose credentials
    /// are right.
    ///
    /// @return gives the attempt up
    Runnable check(String user, String password, String address, Consumer<LoginResult> result) {
        CheckOrder.Origin origin = new CheckOrder.Origin(address, digests.of(address, user));
        String digest = digests.of(user, password);
        Begun begun = begin(new Check(user, password, digest, origin), result);
        tell(begun.told, begun.result);
        Check joined = begun.check;
        return joined == null ? () -> {} : () -> giveUp(joined, result);
    }

    private synchronized Begun begin(Check check, Consumer<LoginResult> result) {
        if (closed) {
            return new Begun(
                    null, List.of(result), LoginResult.undecided("the broker is stopping"));
        }
        if (remembered.containsKey(check.digest)) {
            return new Begun(null, List.of(result), RIGHT);
        }
        Check known = waiting.get(check.digest);
        if (known != null && (current || known != running)) {
            known.results.add(result);
            return new Begun(known, List.of(), RIGHT);
        }
        Check displaced = null;
        if (waiting.size() >= MAX_WAITING) {
            displaced = CheckOrder.leastEntitled(movable(), check);
            if (displaced == check) {
                return new Begun(null, List.of(result), FULL);
            }
            waiting.remove(displaced.digest);
        }
        check.results.add(result);
        waiting.put(check.digest, check);
        if (!working) {
            working = true;
            executor.execute(this::work);
        }
        return new Begun(check, displaced == null ? List.of() : displaced.results, FULL);
    }

    private List<Check> movable() {
        return waiting.values().stream().filter(one -> one != running).toList();
    }

    private void work() {
        for (Check check = next(); check != null; check = next()) {
            LoginResult result = run(check);
            finish(check, result);
            tell(check.results, result);
        }
    }

    private synchronized @Nullable Check next() {
        running = closed ? null : order.next(waiting.values());
        working = running != null;
        current = true;
        return running;
    }

    private LoginResult run(Check check) {
        try {
            return matches.test(check.user, check.password)
                    ? RIGHT
                    : LoginResult.refused(Authenticator.WRONG);
        } catch (Throwable fault) {
            FatalErrors.endIfFatal(fault);
            LOG.error("Cannot check the password of a user", fault);
            return LoginResult.undecided(
                    "the password could not be checked; the broker's log says why");
        }
    }

    /// Nobody joins the check any more when this returns.
    private synchronized void finish(Check check, LoginResult result) {
        waiting.remove(check.digest, check);
        running = null;
        if (result.accepted() && current) {
            remembered.put(check.digest, true);
        }
    }

    private static void tell(List<Consumer<LoginResult>> told, LoginResult result) {
        for (Consumer<LoginResult> one : told) {
            try {
                one.accept(result);
            } catch (Throwable fault) {
                FatalErrors.endIfFatal(fault);
                LOG.error("Cannot tell the result of an authentication", fault);
            }
        }
    }

    private synchronized void giveUp(Check check, Consumer<LoginResult> result) {
        if (waiting.get(check.digest) == check) {
            check.results.remove(result);
            if (check.results.isEmpty() && check != running) {
                waiting.remove(check.digest);
            }
        }
    }

    /// Changes passwords: what was right is checked again.
    ///
    /// @param change puts others into force; no attempt begins or ends meanwhile
    synchronized void change(Runnable change) {
        change.run();
        remembered.clear();
        current = false;
    }

    @Override
    public synchronized void close() {
        closed = true;
        executor.shutdownNow();
    }
}
