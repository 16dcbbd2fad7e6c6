package winnow.loadgen.remote;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Seat;
import winnow.loadgen.run.WorkerSource;
import winnow.loadgen.worker.Part;

/// Workers on other machines, each of which plays an equal part of the publishers, of the
/// subscribers or of both. Owned by the coordinator's thread.
public final class RemoteWorkers implements WorkerSource {

    private final List<WorkerAddress> publishers;
    private final List<WorkerAddress> subscribers;
    private final WorkerSecret secret;
    private final Object granting = new Object();

    private RemoteWorkers(
            List<WorkerAddress> publishers, List<WorkerAddress> subscribers, WorkerSecret secret) {
        this.publishers = publishers;
        this.subscribers = subscribers;
        this.secret = secret;
    }

    /// @param text addresses with commas between them: each publishes and subscribes; or those that
    ///   publish, a slash and those that subscribe
    /// @throws IllegalArgumentException if it is not like that
    public static RemoteWorkers of(String text, WorkerSecret secret) {
        var sides = text.split("/", -1);
        if (sides.length > 2) {
            throw new IllegalArgumentException(
                    "expected workers that publish, a slash and workers that subscribe, found '%s'"
                            .formatted(text));
        }
        var publishers = addresses(sides[0]);
        var subscribers = sides.length == 2 ? addresses(sides[1]) : publishers;
        var once = new HashSet<WorkerAddress>(publishers);
        var all = publishers.size();
        if (sides.length == 2) {
            once.addAll(subscribers);
            all += subscribers.size();
        }
        if (once.size() < all) {
            throw new IllegalArgumentException(
                    "expected each worker once, found one twice in '%s': without a slash a worker"
                                    .formatted(text)
                            + " publishes and subscribes");
        }
        return new RemoteWorkers(publishers, subscribers, secret);
    }

    private static List<WorkerAddress> addresses(String text) {
        return Arrays.stream(text.split(",", -1)).map(WorkerAddress::of).toList();
    }

    /// True if one of them is on this machine, as far as the addresses tell.
    public boolean isAnyHere() {
        return publishers.stream().anyMatch(WorkerAddress::isHere)
                || subscribers.stream().anyMatch(WorkerAddress::isHere);
    }

    @Override
    public List<Seat> start() throws LoadException {
        var seats = new ArrayList<Seat>();
        try {
            if (publishers.equals(subscribers)) {
                for (var number = 0; number < publishers.size(); number++) {
                    var part = new Part(number, publishers.size());
                    seats.add(new Seat(connect(publishers.get(number)), part, part));
                }
                return seats;
            }
            for (var number = 0; number < subscribers.size(); number++) {
                var part = new Part(number, subscribers.size());
                seats.add(new Seat(connect(subscribers.get(number)), Part.NONE, part));
            }
            for (var number = 0; number < publishers.size(); number++) {
                var part = new Part(number, publishers.size());
                seats.add(new Seat(connect(publishers.get(number)), part, Part.NONE));
            }
            return seats;
        } catch (LoadException failed) {
            seats.forEach(seat -> seat.worker().close());
            throw failed;
        }
    }

    private RemoteWorker connect(WorkerAddress address) throws LoadException {
        return RemoteWorker.connect(address, secret, granting);
    }

    @Override
    public String label() {
        return publishers.equals(subscribers)
                ? names(publishers) + " publish and subscribe"
                : names(publishers) + " publish, " + names(subscribers) + " subscribe";
    }

    private static String names(List<WorkerAddress> addresses) {
        return addresses.stream().map(WorkerAddress::toString).collect(Collectors.joining(", "));
    }

    @Override
    public boolean isElsewhere() {
        return true;
    }

    /// The logs are on the machines of the workers.
    @Override
    public List<String> warnings() {
        return List.of();
    }
}
