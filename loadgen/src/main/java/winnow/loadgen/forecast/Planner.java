package winnow.loadgen.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.chart.Digits;
import winnow.loadgen.forecast.CapacityPlan.Ability;
import winnow.loadgen.forecast.CapacityPlan.Cluster;
import winnow.loadgen.forecast.CapacityPlan.Forecast;
import winnow.loadgen.forecast.CapacityPlan.Limit;

/// Answers how many messages a broker takes and how many brokers a rate needs. Immutable.
///
/// With PSR the publishers are spread over the brokers, and each broker has every subscription.
/// With SSR the subscribers are spread, and each broker receives every message. A grid does both:
/// for utilization u its k = k_p k_s brokers take `k u / (k_s t_rcv + n t_fltr + E[R] t_tx)`.
public final class Planner {

    /// JMS, TCP, IP and Ethernet headers of a message (FioranoMQ paper, section 4.3). A broker that
    /// sends many messages together needs less.
    private static final int OVERHEAD_BYTES = 40 + 32 + 20 + 38;

    private static final double MICROS = 1e6;
    private static final int BITS_PER_BYTE = 8;
    private static final int MOST_BROKERS = 10_000;
    private static final int MOST_SUBSCRIBER_SHARES = 64;

    /// Of the rate that keeps a waiting time.
    private static final double PRECISION = 1e-3;

    /// Share of the capacity at which a broker waits for messages.
    private static final double NEARLY_IDLE = 1e-6;

    private final Costs costs;
    private final Load load;
    private final Targets targets;
    private final QueueModel model;
    private final String reason;

    private Planner(Costs costs, Load load, Targets targets, @Nullable QueueModel wanted) {
        this.costs = costs;
        this.load = load;
        this.targets = targets;
        var fitting = QueueModel.of(costs, load);
        model = wanted == null ? fitting : wanted;
        reason = wanted == null ? reason(fitting) : "it was asked for";
        if (model == QueueModel.BATCH && costs.iterationSeconds() == 0) {
            throw new IllegalArgumentException(
                    "expected the time of an iteration for batches, found none in " + costs.name());
        }
    }

    /// The plan.
    ///
    /// @param wanted the model to use; null for the one that fits
    /// @throws IllegalArgumentException if a message takes no time, or batches are wanted of a
    ///   broker whose time per iteration is not known
    public static CapacityPlan plan(
            Costs costs, Load load, Targets targets, @Nullable QueueModel wanted) {
        return new Planner(costs, load, targets, wanted).plan();
    }

    /// The server that one event loop of a broker is.
    public static QueueServer server(CapacityPlan plan) {
        return plan.model().server(plan.costs(), plan.load());
    }

    /// The same with copies that are spread over messages in another way.
    public static QueueServer server(CapacityPlan plan, ReplicationGrade grade) {
        var load = plan.load();
        return plan.model()
                .server(
                        plan.costs(),
                        new Load(
                                load.selectors(),
                                grade,
                                load.bodyBytes(),
                                load.publishers(),
                                load.clump()));
    }

    private String reason(QueueModel fitting) {
        if (costs.iterationSeconds() == 0) {
            return "this broker takes one message after the other";
        }
        return "an iteration takes %s µs, %s than a message with %s µs"
                .formatted(
                        Digits.three(QueueModel.iterationSeconds(costs) * MICROS),
                        fitting == QueueModel.BATCH ? "more" : "no more",
                        Digits.three(load.service(costs).first() * MICROS));
    }

    private CapacityPlan plan() {
        var server = model.server(costs, load);
        var rate = targets.ratePerSecond();
        var capacity = server.capacityPerSecond() * targets.loops();
        var ability = ability(load);
        return new CapacityPlan(
                model,
                reason,
                costs,
                load,
                load.service(costs),
                capacity,
                ability,
                rate == null || rate >= capacity ? null : forecast(server, rate),
                rate == null ? List.of() : clusters(rate));
    }

    private Forecast forecast(QueueServer server, double perSecond) {
        var perLoop = perSecond / targets.loops();
        var waiting = server.waiting(perLoop);
        return new Forecast(
                perSecond,
                perLoop / server.capacityPerSecond(),
                server.busyShare(perLoop),
                waiting.meanSeconds(),
                waiting.quantileSeconds(0.99),
                waiting.quantileSeconds(0.9999));
    }

    /// The highest rate of one broker with a load.
    private Ability ability(Load share) {
        var server = model.server(costs, share);
        var perLoop = targets.utilization() * server.capacityPerSecond();
        var limit = Limit.UTILIZATION;
        var p99 = targets.p99Seconds();
        if (p99 != null && p99(server, perLoop) > p99) {
            perLoop = longestWait(server, perLoop, p99);
            limit = Limit.WAITING;
        }
        var rate = perLoop * targets.loops();
        var network = networkPerSecond(share);
        if (network < rate) {
            rate = network;
            limit = Limit.NETWORK;
        }
        return new Ability(rate, limit, rate == 0 ? null : forecast(server, rate));
    }

    private static double p99(QueueServer server, double perSecond) {
        return server.waiting(perSecond).quantileSeconds(0.99);
    }

    /// The rate below another one whose p99 is a given one; 0 if an idle server is slower.
    private static double longestWait(QueueServer server, double tooMany, double p99) {
        var low = server.capacityPerSecond() * NEARLY_IDLE;
        if (p99(server, low) > p99) {
            return 0;
        }
        var high = tooMany;
        while (high / low > 1 + PRECISION) {
            var middle = Math.sqrt(low * high);
            if (p99(server, middle) > p99) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /// Messages per second that fit through the busier direction of the network.
    private double networkPerSecond(Load share) {
        var bits = (double) BITS_PER_BYTE * (share.bodyBytes() + OVERHEAD_BYTES);
        return targets.networkBitsPerSecond()
                / (bits * Math.max(1, share.grade().moments().first()));
    }

    /// PSR, SSR, and a grid if it needs fewer brokers than both.
    private List<Cluster> clusters(double rate) {
        var clusters = new ArrayList<Cluster>();
        var publishers = cluster(rate, 1);
        publishers.ifPresent(clusters::add);
        if (publishers.isPresent() && publishers.get().brokers() == 1) {
            return clusters;
        }
        subscribers(rate).ifPresent(clusters::add);
        var least = clusters.stream().mapToInt(Cluster::brokers).min().orElse(MOST_BROKERS + 1);
        var most = mostSubscriberShares(MOST_SUBSCRIBER_SHARES);
        for (var shares = 2; shares <= most && shares < least; shares *= 2) {
            var grid = cluster(rate, shares);
            if (grid.isPresent() && grid.get().brokers() < least) {
                clusters.add(grid.get());
                least = grid.get().brokers();
            }
        }
        return clusters;
    }

    /// Each broker has a subscriber.
    private int mostSubscriberShares(int most) {
        var subscribers = Math.max(load.selectors(), load.grade().moments().first());
        return (int) Math.clamp(Math.floor(subscribers), 1, most);
    }

    /// So many groups of subscribers, and as many brokers for each as the rate needs.
    private Optional<Cluster> cluster(double rate, int subscriberShares) {
        var share = load.split(subscriberShares);
        var brokers = Math.ceil(rate / ability(share).perSecond());
        return brokers * subscriberShares > MOST_BROKERS
                ? Optional.empty()
                : Optional.of(
                        new Cluster(
                                (int) brokers,
                                subscriberShares,
                                forecast(model.server(costs, share), rate / brokers)));
    }

    /// As few groups of subscribers as let each broker receive every message.
    private Optional<Cluster> subscribers(double rate) {
        var most = mostSubscriberShares(MOST_BROKERS);
        var enough = 1;
        while (enough < most && ability(load.split(enough)).perSecond() < rate) {
            enough = Math.min(most, 2 * enough);
        }
        if (ability(load.split(enough)).perSecond() < rate) {
            return Optional.empty();
        }
        var tooFew = enough / 2;
        while (enough - tooFew > 1) {
            var middle = (enough + tooFew) / 2;
            if (ability(load.split(middle)).perSecond() < rate) {
                tooFew = middle;
            } else {
                enough = middle;
            }
        }
        return Optional.of(
                new Cluster(1, enough, forecast(model.server(costs, load.split(enough)), rate)));
    }
}
