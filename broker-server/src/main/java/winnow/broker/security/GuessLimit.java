package winnow.broker.security;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// Slows down who guesses the password of a user: after [#FREE] wrong ones from an address, each
/// further attempt for that user waits for its turn, right or wrong, because an answer that came
/// sooner would tell. Other users and other addresses do not notice. Thread-safe: by its own lock.
final class GuessLimit {
    /// Wrong passwords that cost no time: of a person who tries those that it has, and of programs
    /// that start before they were given a new one.
    static final int FREE = 10;

    /// From one turn to the next.
    private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    /// Longest wait: the default of `transport.handshake-timeout` is longer.
    static final long MAX_WAIT_NANOS = Duration.ofSeconds(3).toNanos();

    private static final int MAX_REMEMBERED = 10_000;

    private final LongSupplier nanoClock;

    /// By address and user, how much time the attempts so far stand for, as the moment when it is
    /// over; the one that was used last is the last.
    private final Map<Key, Long> paidUntil =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Long> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    /// @param user a hash of the name, which may be long
    private record Key(String addressBlock, int user) {}

    GuessLimit(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    private static Key key(String address, String user) {
        return new Key(AddressBlock.of(address), user.hashCode());
    }

    /// Time that an attempt has to wait, 0 if not at all.
    ///
    /// @throws RefusedCredentials if so many wait that it is not even tried
    long takeTurn(String address, String user) throws RefusedCredentials {
        return takeTurn(address, user, 0);
    }

    /// Time that an attempt has to wait, as above.
    ///
    /// @param undecided other passwords for the user from this address which may turn out wrong
    synchronized long takeTurn(String address, String user, int undecided)
            throws RefusedCredentials {
        Key key = key(address, user);
        long now = nanoClock.getAsLong();
        long wait = waitNanos(key, now, undecided);
        if (wait <= 0) {
            return 0;
        }
        if (wait > MAX_WAIT_NANOS) {
            throw new RefusedCredentials(
                    "too many wrong passwords for this user from this address; try again in "
                            + Duration.ofNanos(wait).plusSeconds(1).toSeconds()
                            + " s");
        }
        charge(key, now);
        return wait;
    }

    /// Time that an attempt would have to wait, 0 or less if not at all. Charges nothing.
    ///
    /// @param undecided as above
    synchronized long waitNanos(String address, String user, int undecided) {
        return waitNanos(key(address, user), nanoClock.getAsLong(), undecided);
    }

    private long waitNanos(Key key, long now, int undecided) {
        Long until = paidUntil.get(key);
        long paid = until == null ? 0 : Math.max(until - now, 0);
        return paid + (undecided - FREE) * INTERVAL_NANOS;
    }

    /// The attempt was wrong.
    synchronized void onWrong(String address, String user) {
        charge(key(address, user), nanoClock.getAsLong());
    }

    private void charge(Key key, long now) {
        Long until = paidUntil.get(key);
        long from = until == null ? now : Math.max(until - now, 0) + now;
        paidUntil.put(key, from + INTERVAL_NANOS);
    }
}
