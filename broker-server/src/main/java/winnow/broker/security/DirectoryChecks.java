package winnow.broker.security;

import java.text.Normalizer;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;
import winnow.broker.identity.AbsentDirectory;
import winnow.broker.identity.LdapConfig;
import winnow.broker.identity.LdapUsers;
import winnow.broker.identity.ProvenUser;
import winnow.broker.identity.RefusedIdentity;
import winnow.broker.metrics.WaitTimes;

/// Checks passwords by a directory, on threads that wait for it; [CheckOrder] says which comes next
/// and which are too many, [GuessLimit] which have to wait. A password that was right is remembered
/// for a while, as a keyed digest. Thread-safe: by its own lock.
final class DirectoryChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryChecks.class);

    /// Of those that wait for the directory, and as many of those that wait for a time.
    static final int MAX_WAITING = 256;

    /// A refusal comes so long after the question, if the directory is faster, so that the time
    /// says nothing about why: a directory takes longer for a wrong password than for a user who
    /// does not exist.
    static final long REFUSAL_NANOS = Duration.ofMillis(250).toNanos();

    private static final Pattern UNTOLD = Pattern.compile("[^\\p{L}\\p{N}]");

    private static final String FULL = "too many authentications are waiting, try again";

    private final Asking asking;
    private final GuessLimit guesses;

    /// By entry, apart from names that anybody may choose.
    private final GuessLimit entryGuesses;

    private final WaitTimes times;
    private final int threads;
    private final KeyedDigest digests = new KeyedDigest();
    private final ThreadPoolExecutor executor;
    private final CheckOrder<DirectoryCheck> order = new CheckOrder<>();

    /// In the order in which they came, those that wait for the directory.
    private final Set<DirectoryCheck> waiting = new LinkedHashSet<>();

    /// Until their turn to be asked, or to be told, has come.
    private final Set<DirectoryCheck> parked = new LinkedHashSet<>();

    /// The directory is asked about them.
    private final Set<DirectoryCheck> running = new LinkedHashSet<>();

    private final RememberedLogins remembered;

    private int working;
    private boolean closed;

    /// Asks the directory.
    @FunctionalInterface
    interface Asking {
        /// @throws AbsentDirectory if it could not be asked
        /// @throws RefusedIdentity if it does not say that the password is right
        ProvenUser ask(String user, String password, LdapUsers.EntryGate gate)
                throws RefusedIdentity;
    }

    DirectoryChecks(
            LdapUsers directory, GuessLimit guesses, LongSupplier nanoClock, WaitTimes times) {
        this(directory::check, directory.config(), guesses, nanoClock, times);
    }

    /// @param times of questions
    DirectoryChecks(
            Asking asking,
            LdapConfig config,
            GuessLimit guesses,
            LongSupplier nanoClock,
            WaitTimes times) {
        this.times = times;
        this.asking = asking;
        this.guesses = guesses;
        this.entryGuesses = new GuessLimit(nanoClock);
        this.threads = config.connections();
        remembered = new RememberedLogins(config.remember().toNanos(), nanoClock);
        executor = CheckThreads.of("winnow-directory", threads);
    }

    private static final class DirectoryCheck implements CheckOrder.Waiting {
        final String user;
        final String password;
        final String address;

        /// Stands for all names that a directory may take for the same user.
        final String guessed;

        /// Of user and password.
        final String digest;

        final CheckOrder.Origin origin;
        final Consumer<LoginResult> result;

        /// Stands for the entry that was found, empty before; names that are spelled otherwise may
        /// lead there, too.
        String entry = "";

        /// True if the password was tried at the entry.
        boolean tried;

        /// Time that it had to wait for its turn.
        long waitedNanos;

        /// True from the moment when it is known whether the password is right.
        boolean decided;

        /// Generation of what is remembered when it was asked.
        int asked;

        DirectoryCheck(
                String user,
                String password,
                String address,
                String digest,
                CheckOrder.Origin origin,
                Consumer<LoginResult> result) {
            this.user = user;
            this.password = password;
            this.address = address;
            this.guessed = guessed(user);
            this.digest = digest;
            this.origin = origin;
            this.result = result;
        }

        @Override
        public CheckOrder.Origin origin() {
            return origin;
        }
    }

    /// Tells the result as [Authenticator#authenticate] does.
    ///
    /// @param address of the client
    /// @return gives the attempt up
    Runnable check(String user, String password, String address, Consumer<LoginResult> result) {
        String block = AddressBlock.of(address);
        DirectoryCheck check =
                new DirectoryCheck(
                        user,
                        password,
                        address,
                        digests.of(user, password),
                        new CheckOrder.Origin(block, digests.of(block, user)),
                        result);
        ProvenUser known;
        long waitNanos;
        DirectoryCheck displaced = null;
        // What comes at once is counted before the first of it is answered.
        try {
            synchronized (this) {
                waitNanos = guesses.takeTurn(address, check.guessed, undecided(check));
                known = waitNanos == 0 ? remembered.find(check.digest) : null;
                check.waitedNanos = waitNanos;
                if (known == null) {
                    displaced = add(waitNanos > 0 ? parked : waiting, check);
                }
            }
        } catch (RefusedCredentials e) {
            result.accept(LoginResult.refused(String.valueOf(e.getMessage())));
            return () -> {};
        }
        if (known != null) {
            result.accept(LoginResult.of(known));
            return () -> {};
        }
        refuse(displaced);
        if (waitNanos > 0 && displaced != check) {
            later(waitNanos, () -> unpark(check));
        }
        return () -> giveUp(check);
    }

    /// Other passwords for the same user from the same party that may turn out wrong. With the
    /// lock.
    private int undecided(DirectoryCheck check) {
        return undecided(check, one -> one.guessed.equals(check.guessed));
    }

    private int undecided(DirectoryCheck check, Predicate<DirectoryCheck> like) {
        Set<String> digests = new HashSet<>();
        for (Set<DirectoryCheck> open : List.of(waiting, parked, running)) {
            for (DirectoryCheck one : open) {
                if (!one.decided
                        && like.test(one)
                        && one.origin.address().equals(check.origin.address())) {
                    digests.add(one.digest);
                }
            }
        }
        digests.remove(check.digest);
        return digests.size();
    }

    /// Counts guesses of all names that lead to an entry together. Names take turns before anybody
    /// knows whose they are; an entry for which there were too many by other names is as if it were
    /// not there, because a wait would tell that two names are of one user.
    private synchronized boolean lets(DirectoryCheck check, String entry) {
        check.entry = entry;
        int undecided = undecided(check, one -> one.tried && one.entry.equals(check.entry));
        check.tried =
                entryGuesses.waitNanos(check.address, check.entry, undecided) <= check.waitedNanos;
        return check.tried;
    }

    private void onWrong(DirectoryCheck check) {
        guesses.onWrong(check.address, check.guessed);
        if (check.tried) {
            entryGuesses.onWrong(check.address, check.entry);
        }
    }

    /// Directories leave capitals, accents, widths of letters, blanks and characters that are not
    /// seen out of account, each in its way: letters and digits remain.
    private static String guessed(String user) {
        String letters = Normalizer.normalize(user, Normalizer.Form.NFKD);
        String small = letters.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        return UNTOLD.matcher(Normalizer.normalize(small, Normalizer.Form.NFKD)).replaceAll("");
    }

    /// Has it wait for a time.
    private void park(DirectoryCheck check, long nanos, Runnable then) {
        DirectoryCheck refused = add(parked, check);
        refuse(refused);
        if (refused != check) {
            later(nanos, then);
        }
    }

    private static void later(long nanos, Runnable then) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(then);
    }

    /// @return one for which there is no room any more, perhaps this one; null if there is
    private synchronized @Nullable DirectoryCheck add(
            Set<DirectoryCheck> to, DirectoryCheck check) {
        DirectoryCheck displaced = null;
        if (closed) {
            return check;
        }
        if (to.size() >= MAX_WAITING) {
            displaced = CheckOrder.leastEntitled(to, check);
            if (displaced == check) {
                return check;
            }
            to.remove(displaced);
        }
        to.add(check);
        work();
        return displaced;
    }

    private void unpark(DirectoryCheck check) {
        DirectoryCheck displaced = null;
        synchronized (this) {
            if (parked.remove(check)) {
                displaced = add(waiting, check);
            }
        }
        refuse(displaced);
    }

    /// Has another thread work, if there may be one. With the lock.
    private void work() {
        if (working < threads && !closed) {
            working++;
            executor.execute(this::runAll);
        }
    }

    private void runAll() {
        for (DirectoryCheck check = next(); check != null; check = next()) {
            run(check);
        }
    }

    private synchronized @Nullable DirectoryCheck next() {
        DirectoryCheck next = closed ? null : order.next(waiting);
        if (next == null) {
            working--;
        } else {
            waiting.remove(next);
            running.add(next);
            next.asked = remembered.generation();
        }
        return next;
    }

    private void run(DirectoryCheck check) {
        long beganNanos = System.nanoTime();
        ProvenUser known = remembered.find(check.digest);
        LoginResult result = known == null ? ask(check) : LoginResult.of(known);
        if (known == null) {
            times.record(System.nanoTime() - beganNanos);
        }
        decide(check);
        long restNanos = REFUSAL_NANOS - (System.nanoTime() - beganNanos);
        if (result.accepted() || restNanos <= 0) {
            tell(check, result);
        } else {
            park(
                    check,
                    restNanos,
                    () -> {
                        if (giveUp(check)) {
                            tell(check, result);
                        }
                    });
        }
    }

    private synchronized void decide(DirectoryCheck check) {
        running.remove(check);
        check.decided = true;
    }

    private LoginResult ask(DirectoryCheck check) {
        try {
            ProvenUser user = asking.ask(check.user, check.password, entry -> lets(check, entry));
            remembered.put(check.digest, user, check.asked);
            return LoginResult.of(user);
        } catch (AbsentDirectory e) {
            return LoginResult.undecided(String.valueOf(e.getMessage()));
        } catch (RefusedIdentity e) {
            onWrong(check);
            return LoginResult.refused(String.valueOf(e.getMessage()), e.reason());
        } catch (Throwable fault) {
            FatalErrors.endIfFatal(fault);
            LOG.error("Cannot check the password of a user by the directory", fault);
            return LoginResult.undecided(
                    "the password could not be checked; the broker's log says why");
        }
    }

    /// Settings were read again: the directory is asked about every password.
    void forget() {
        remembered.forgetAll();
    }

    private void refuse(@Nullable DirectoryCheck refused) {
        if (refused != null) {
            tell(refused, LoginResult.undecided(FULL));
        }
    }

    private static void tell(DirectoryCheck check, LoginResult result) {
        try {
            check.result.accept(result);
        } catch (Throwable fault) {
            FatalErrors.endIfFatal(fault);
            LOG.error("Cannot tell the result of an authentication", fault);
        }
    }

    /// @return false if it did not wait any more
    private synchronized boolean giveUp(DirectoryCheck check) {
        return waiting.remove(check) || parked.remove(check);
    }

    @Override
    public synchronized void close() {
        closed = true;
        executor.shutdownNow();
    }
}
