package winnow.broker.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.security.Authenticator;
import winnow.broker.shard.InstanceKey;

/// The clients that can come back, by their instances: each is connected, or away for a while. A
/// client that comes back while the broker still holds its earlier connection ends that one, on the
/// loop that owns it, and goes on when it has ended. Thread-safe: by its own lock, under which
/// nothing of a connection is called.
final class ClientInstances {
    private static final long LOOK_MILLIS = 500;

    private final LongSupplier nanoClock;
    private final Map<InstanceKey, Place> places = new HashMap<>();

    /// Places of clients that are away, by their owners; of each in the order in which they went.
    private final Map<String, LinkedHashMap<InstanceKey, Place>> away = new HashMap<>();

    /// The same, by client identifier.
    private final Map<String, Place> awayByClientId = new HashMap<>();

    private int awayCount;
    private boolean looking;

    /// One instance. It has a holder, or is away.
    private static final class Place {
        final InstanceKey key;
        int attempt;
        @Nullable ClientConnection holder;

        /// Comes when the holder has ended.
        @Nullable Arrival next;

        @Nullable AwayClient away;
        long endNanos;

        Place(InstanceKey key, int attempt) {
            this.key = key;
            this.attempt = attempt;
        }
    }

    /// A connection that says an instance.
    ///
    /// @param proceed called on its loop with what was kept, null if nothing was
    record Arrival(ClientConnection connection, Consumer<@Nullable AwayClient> proceed) {
        void accept(@Nullable AwayClient kept) {
            connection.loop().execute(connection, () -> proceed.accept(kept));
        }
    }

    ClientInstances(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// A connection says an instance. It gets what was kept, when its earlier connection has ended.
    ///
    /// @param attempt counts the connections of the instance
    /// @return false if another has come later
    boolean arrive(InstanceKey key, int attempt, Arrival arrival) {
        ClientConnection displaced = null;
        Arrival overtaken = null;
        AwayClient kept = null;
        synchronized (this) {
            Place place = places.get(key);
            if (place != null && attempt <= place.attempt) {
                return false;
            }
            if (place == null) {
                place = new Place(key, attempt);
                places.put(key, place);
            }
            place.attempt = attempt;
            if (place.holder != null) {
                displaced = place.holder;
                overtaken = place.next;
                place.next = arrival;
            } else {
                place.holder = arrival.connection();
                kept = takeAway(place);
            }
        }
        if (displaced == null) {
            arrival.accept(kept);
            return true;
        }
        ClientConnection ending = displaced;
        ending.loop().execute(ending, ending::onDisplaced);
        if (overtaken != null) {
            ClientConnection other = overtaken.connection();
            other.loop().execute(other, other::onDisplaced);
        }
        return true;
    }

    /// A connection that said an instance has ended.
    ///
    /// @param kept what the client finds when it comes back, null for nothing
    /// @param terms say for how long
    void leave(
            InstanceKey key, ClientConnection connection, @Nullable AwayClient kept, Terms terms) {
        Arrival next = null;
        AwayClient ended = kept;
        synchronized (this) {
            Place place = places.get(key);
            if (place != null && place.next != null && place.next.connection() == connection) {
                place.next = null;
            } else if (place != null && connection.equals(place.holder)) {
                next = place.next;
                place.next = null;
                place.holder = next == null ? null : next.connection();
                ended = null;
                if (next == null) {
                    ended = park(place, kept, terms);
                }
            }
        }
        if (next != null) {
            next.accept(kept);
        }
        if (ended != null) {
            ended.end();
        }
    }

    /// Keeps on what was kept for a connection that has ended meanwhile, unless the client has come
    /// again.
    void giveBack(InstanceKey key, int attempt, AwayClient kept, Terms terms) {
        AwayClient ended = kept;
        synchronized (this) {
            if (!places.containsKey(key)) {
                Place place = new Place(key, attempt);
                places.put(key, place);
                ended = park(place, kept, terms);
            }
        }
        if (ended != null) {
            ended.end();
        }
    }

    /// For how long clients are kept, and how many.
    record Terms(long timeoutNanos, int max) {}

    /// @return who has to go, null if nobody has to
    private @Nullable AwayClient park(Place place, @Nullable AwayClient kept, Terms terms) {
        if (kept == null || terms.timeoutNanos == 0) {
            places.remove(place.key);
            return kept;
        }
        place.away = kept;
        place.endNanos = nanoClock.getAsLong() + terms.timeoutNanos;
        away.computeIfAbsent(kept.account().owner(), _ -> new LinkedHashMap<>())
                .put(place.key, place);
        if (!kept.clientId().isEmpty()) {
            awayByClientId.put(kept.clientId(), place);
        }
        awayCount++;
        kept.context().counters().away.incrementAndGet();
        if (!looking) {
            looking = true;
            lookLater();
        }
        return awayCount > terms.max ? remove(oldestOfFullest()) : null;
    }

    private Place oldestOfFullest() {
        return away.values().stream()
                .max(Comparator.comparingInt(LinkedHashMap::size))
                .orElseThrow()
                .firstEntry()
                .getValue();
    }

    /// Forgets a place that is away.
    private @Nullable AwayClient remove(Place place) {
        places.remove(place.key);
        return takeAway(place);
    }

    private @Nullable AwayClient takeAway(Place place) {
        AwayClient kept = place.away;
        if (kept != null) {
            place.away = null;
            awayCount--;
            kept.context().counters().away.decrementAndGet();
            awayByClientId.remove(kept.clientId(), place);
            String owner = kept.account().owner();
            LinkedHashMap<InstanceKey, Place> others = away.get(owner);
            if (others != null) {
                others.remove(place.key);
                if (others.isEmpty()) {
                    away.remove(owner);
                }
            }
        }
        return kept;
    }

    private void lookLater() {
        CompletableFuture.delayedExecutor(LOOK_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(this::look);
    }

    /// Ends those whose time is over.
    private void look() {
        List<AwayClient> ended = new ArrayList<>();
        synchronized (this) {
            long now = nanoClock.getAsLong();
            for (LinkedHashMap<InstanceKey, Place> one : List.copyOf(away.values())) {
                while (!one.isEmpty() && now - one.firstEntry().getValue().endNanos >= 0) {
                    AwayClient over = remove(one.firstEntry().getValue());
                    if (over != null) {
                        ended.add(over);
                    }
                }
            }
            looking = awayCount > 0;
            if (looking) {
                lookLater();
            }
        }
        ended.forEach(AwayClient::end);
    }

    /// A client of a user wants a client identifier that a client has which is away: that one gives
    /// way if it is of the same user, for it may be the same one that was started again.
    ///
    /// @return whether it does
    boolean giveWay(String clientId, String user) {
        AwayClient ended = null;
        synchronized (this) {
            Place place = awayByClientId.get(clientId);
            if (place != null && place.away != null && place.away.user().equals(user)) {
                ended = remove(place);
            }
        }
        if (ended != null) {
            ended.end();
        }
        return ended != null;
    }

    /// Ends those of users who have to prove again who they are.
    ///
    /// @param changed name of a user with a new password, empty if there is none
    /// @return those that have ended
    List<AwayClient> endOutdated(Authenticator authenticator, String changed) {
        return endAway(one -> Connections.isOutdated(one.proven(), authenticator, changed));
    }

    /// Ends one that is away.
    ///
    /// @return what it was, null if there is none with that number
    @Nullable ConnectionInfo end(long connectionId) {
        List<AwayClient> ended = endAway(one -> one.connectionId() == connectionId);
        return ended.isEmpty() ? null : ended.getFirst().info();
    }

    private List<AwayClient> endAway(Predicate<AwayClient> which) {
        List<AwayClient> ended = new ArrayList<>();
        synchronized (this) {
            for (Place place : List.copyOf(places.values())) {
                if (place.away != null && which.test(place.away)) {
                    ended.add(place.away);
                    AwayClient _ = remove(place);
                }
            }
        }
        ended.forEach(AwayClient::end);
        return ended;
    }

    /// Clients that are away, for people.
    synchronized List<ConnectionInfo> away() {
        List<ConnectionInfo> found = new ArrayList<>();
        for (LinkedHashMap<InstanceKey, Place> one : away.values()) {
            for (Place place : one.values()) {
                if (place.away != null) {
                    found.add(place.away.info());
                }
            }
        }
        return found;
    }
}
