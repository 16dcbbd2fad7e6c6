package winnow.broker.admin;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Operator;
import winnow.broker.admin.request.RequestAccess;
import winnow.broker.config.NamePattern;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.session.ConnectionInfo;
import winnow.broker.subscription.SubscriptionsBehind;
import winnow.broker.transport.HttpServer.Response;

/// Pages of the broker's state, and of clients' connections: shown and closed. Thread-safe.
final class StatePages {
    private final BrokerState state;

    StatePages(BrokerState state) {
        this.state = state;
    }

    void addTo(List<Route> routes) {
        routes.add(
                Route.get("overview", "getOverview", "totals of the broker")
                        .of(BrokerState.Overview.class)
                        .needs(Permission.VIEW)
                        .by(_ -> JsonPage.of(state.overview())));
        routes.add(
                Route.get("connections", "listConnections", "connections of clients")
                        .pagesOf(ConnectionInfo.class)
                        .filteredBy(Permission.VIEW)
                        .by(this::connections));
        routes.add(
                Route.delete("connections/{connection}", "closeConnection", "closes a connection")
                        .of(ConnectionInfo.class)
                        .needs(Permission.ADMIN)
                        .by(this::close));
        routes.add(
                Route.get("consumers", "listConsumers", "for whom most waits, of all topics")
                        .topOf(BrokerState.Consumer.class)
                        .filteredBy(Permission.VIEW)
                        .by(asked ->
                                state.slowest(
                                                asked.topics(),
                                                asked.access().consumers(),
                                                asked.limit())
                                        .thenCompose(JsonPage::of)));
        routes.add(
                Route.get(
                                "blocked",
                                "listBlocked",
                                "whose producers are held back, by whom, and why")
                        .pagesOf(BlockedTopics.Blocked.class)
                        .filteredBy(Permission.VIEW)
                        .by(this::blocked));
        routes.add(
                Route.get(
                                "behind",
                                "listBehind",
                                "live subscriptions that are behind, and what waits for them")
                        .topOf(SubscriptionsBehind.BehindSubscription.class)
                        .filteredBy(Permission.VIEW)
                        .by(asked -> JsonPage.of(state.behind(asked.topics(), asked.limit()))));
        routes.add(
                Route.get(
                                "selectors",
                                "listSelectors",
                                "the selectors that matching spends most time on, of all topics")
                        .topOf(BrokerState.CostlySelector.class)
                        .filteredBy(Permission.VIEW)
                        .by(asked ->
                                JsonPage.of(
                                        state.costliest(
                                                asked.topics(),
                                                asked.access().seesSubscriptions(),
                                                asked.limit()))));
    }

    private CompletionStage<Response> connections(Asked asked) {
        String first = asked.after();
        long after = first.isEmpty() ? 0 : number("after", first);
        return state.connections(after, wanted(asked), asked.limit() + 1)
                .thenCompose(found ->
                        asked.page(
                                AdminApi.ROOT + "connections",
                                found,
                                one -> one.client().length(),
                                ConnectionInfo::id));
    }

    /// Selects connections that the user may see, by client identifiers; the user's own are among
    /// them.
    ///
    /// @return null for all
    private static @Nullable Predicate<ConnectionInfo> wanted(Asked asked) {
        NamePattern names = asked.names();
        boolean every = names.fits("");
        RequestAccess access = asked.access();
        if (every && access.granted().allowAll(Permission.VIEW, ProtectedKind.CLIENT)) {
            return null;
        }
        return one ->
                (every || BrokerState.fits(names, one))
                        && (access.sees(ProtectedKind.CLIENT, one.client())
                                || (!one.user().isEmpty() && one.user().equals(access.user())));
    }

    private CompletionStage<Response> close(Asked asked) {
        String id = asked.value("connection");
        return state.close(number("connection", id))
                .map(closing ->
                        closing.thenCompose(closed -> {
                            asked.by().did("closed " + Operator.connection(closed));
                            return JsonPage.of(closed);
                        }))
                .orElseGet(() -> JsonPage.failure(404, "there is no connection " + id));
    }

    private static long number(String name, String text) {
        if (!text.matches("[0-9a-f]{1,16}")) {
            throw new IllegalArgumentException(
                    name + ": expected up to 16 hexadecimal digits, found '" + text + "'");
        }
        return Long.parseUnsignedLong(text, 16);
    }

    private CompletionStage<Response> blocked(Asked asked) {
        BlockedTopics page = state.blocked(asked.after(), asked.topics(), asked.limit());
        return JsonPage.of(
                page.topics(),
                page.last().isEmpty() ? "" : asked.next(AdminApi.ROOT + "blocked", page.last()));
    }
}
