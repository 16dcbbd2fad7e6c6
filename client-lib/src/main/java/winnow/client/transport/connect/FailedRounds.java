package winnow.client.transport.connect;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import winnow.client.transport.endpoint.BrokerHost;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.Printable;

/// Rounds of attempts without a connection, for people. Immutable.
///
/// @param rounds that there were
/// @param nanos that they took
/// @param last attempts of the last one, each with its reason
record FailedRounds(ConnectionTarget target, int rounds, long nanos, List<FailedAttempt> last) {
    private static final int DEFAULT_PORT = 61616;
    private static final int MAX_SHOWN_ATTEMPTS = 10;

    FailedRounds {
        last = List.copyOf(last);
    }

    /// True if there may be another round. A reason that does not pass by itself ends them: whoever
    /// can change that has to learn of it.
    boolean mayBeRepeated() {
        return isPassing() && target.retry().rounds().allowsAnother(rounds, nanos);
    }

    private boolean isPassing() {
        boolean returning = target.retry().returning();
        boolean renewed = target.login().usesToken();
        List<FailedAttempt> lasting =
                last.stream()
                        .filter(attempt -> !attempt.isPassing(returning, renewed, nanos))
                        .toList();
        return lasting.isEmpty() || (returning && leaveAHost(lasting));
    }

    /// Tells if nothing is wrong with one of the hosts: it may lead a moment later, and a client
    /// that comes back needs no other. The refusal of a broker holds for all.
    private boolean leaveAHost(List<FailedAttempt> lasting) {
        Set<BrokerHost> wrong =
                lasting.stream().map(FailedAttempt::host).collect(Collectors.toSet());
        return lasting.stream().noneMatch(FailedAttempt::isRefusal)
                && last.stream().anyMatch(attempt -> !wrong.contains(attempt.host()));
    }

    /// All failures in one: a single one with its cause, several by their texts.
    TransportException failure() {
        String text = text() + advice();
        Throwable cause = last.size() == 1 ? last.get(0).reason().getCause() : null;
        TransportException first = last.get(0).reason();
        boolean alike =
                last.stream().allMatch(one -> one.reason().codeName().equals(first.codeName()));
        if (!alike) {
            return new TransportException(LocalFailure.CONNECT_FAILED, text, cause);
        }
        return first.local() == null
                ? new TransportException(first.code(), text)
                : new TransportException(first.local(), text, cause);
    }

    /// A failure of this side that ended them.
    TransportException endedBy(TransportException end) {
        return new TransportException(
                end.local() == null ? LocalFailure.CONNECT_FAILED : end.local(),
                begin() + end.getMessage(),
                end.getCause());
    }

    /// Hosts, number of rounds, time, and the reasons of the last round.
    String text() {
        boolean hostKnown = target.hosts().size() == 1;
        String reasons =
                last.stream()
                        .limit(MAX_SHOWN_ATTEMPTS)
                        .map(attempt -> attempt.text(hostKnown))
                        .collect(Collectors.joining("; "));
        int others = last.size() - MAX_SHOWN_ATTEMPTS;
        return Printable.message(
                begin() + reasons + (others > 0 ? "; " + others + " more addresses failed" : ""));
    }

    private String begin() {
        return "cannot connect to %s%s: "
                .formatted(
                        target.peer(),
                        rounds <= 1
                                ? ""
                                : " (%d rounds of attempts in %s)".formatted(rounds, time()));
    }

    private String time() {
        return nanos < TimeUnit.SECONDS.toNanos(1)
                ? TimeUnit.NANOSECONDS.toMillis(nanos) + " ms"
                : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    private String advice() {
        boolean unreached = last.stream().anyMatch(attempt -> attempt.reason().local() != null);
        StringBuilder advice = new StringBuilder();
        if (unreached && target.hosts().stream().noneMatch(host -> host.port() == DEFAULT_PORT)) {
            advice.append("; the messaging port is ").append(DEFAULT_PORT).append(" by default");
        }
        if (isPassing() && (rounds > 1 || target.hosts().size() > 1)) {
            advice.append(unreached ? "; start a broker there, correct the URL, or" : ";")
                    .append(" set ")
                    .append(
                            target.retry().returning()
                                    ? "maxReconnectAttempts"
                                    : target.retry().rounds().allowsAnother(rounds, 0)
                                            ? "startupTimeout"
                                            : "startupMaxReconnectAttempts")
                    .append(" to try it ")
                    .append(rounds > 1 ? "longer" : "again");
        }
        return advice.toString();
    }
}
