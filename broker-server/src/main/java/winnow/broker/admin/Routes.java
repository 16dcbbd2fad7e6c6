package winnow.broker.admin;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Listing;
import winnow.broker.admin.request.Operator;
import winnow.broker.admin.request.Parameter;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.admin.request.RequestAccess;
import winnow.broker.admin.request.Verb;
import winnow.broker.identity.ProvenUser;
import winnow.broker.permission.AccessControl;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.Printable;

/// Everything that the API answers, by path and verb. Immutable.
///
/// @param control says who may ask
/// @param proven whether a user is a user still, with the same password
record Routes(List<Route> all, AccessControl control, Predicate<ProvenUser> proven) {
    /// Segments of [AdminApi#ROOT].
    private static final int ROOT_SEGMENTS = 2;

    Routes {
        all = List.copyOf(all);
    }

    /// Lets the route answer that a request is for.
    ///
    /// @throws IllegalArgumentException saying what is wrong with the request
    CompletionStage<Response> answer(Verb verb, Request request) throws IOException {
        List<String> path = request.path().subList(ROOT_SEGMENTS, request.path().size());
        List<Route> here = all.stream().filter(one -> one.match(path).isPresent()).toList();
        if (here.isEmpty()) {
            return unknown(path);
        }
        Optional<Route> route = here.stream().filter(one -> one.verb() == verb).findFirst();
        if (route.isEmpty()) {
            return verb.notAllowed(here.stream().map(Route::verb).sorted().toArray(Verb[]::new));
        }
        Route found = route.get();
        requireKnown(found, request.parameters());
        requireJson(found, request.headers().contentType());
        Map<String, String> values = found.match(path).orElseThrow();
        RequestAccess access = RequestAccess.of(control, request);
        int line = access.check(found.access(), values);
        Operator by =
                new Operator(
                        request.user().name(),
                        request.address(),
                        found.operation(),
                        String.join("/", values.values()),
                        line);
        Supplier<RequestAccess> guard = () -> checkAgain(found, request, values);
        CompletionStage<Response> answer =
                found.handler()
                        .answer(
                                new Asked(
                                        by, access, values, request.parameters(), request, guard));
        String filter = access.filter(found.access());
        return filter.isEmpty() ? answer : answer.thenApply(one -> one.filteredBy(filter));
    }

    private RequestAccess checkAgain(Route route, Request request, Map<String, String> values) {
        if (!proven.test(request.user())) {
            throw ProblemException.outdated(request.user());
        }
        RequestAccess access = RequestAccess.of(control, request);
        int _ = access.check(route.access(), values);
        return access;
    }

    /// A parameter with a spelling mistake must not change more than was meant.
    private static void requireKnown(Route route, Map<String, List<String>> parameters) {
        List<String> known = route.parameters().stream().map(Parameter::text).toList();
        for (String name : parameters.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "expected "
                                + (known.isEmpty()
                                        ? "no parameter"
                                        : "only parameters of " + String.join(", ", known))
                                + ", found '"
                                + name
                                + "'");
            }
        }
        for (Parameter parameter : route.parameters()) {
            if (parameter.required() && Listing.text(parameters, parameter.text()).isEmpty()) {
                throw new IllegalArgumentException(
                        parameter.text()
                                + ": expected "
                                + parameter.description()
                                + ", found none");
            }
        }
    }

    private static void requireJson(Route route, String contentType) {
        String type = contentType.replaceFirst(";.*", "").strip();
        if (route.body() != null && !type.equalsIgnoreCase("application/json")) {
            throw new ProblemException(
                    415,
                    "expected a body with Content-Type: application/json, found "
                            + (type.isEmpty() ? "none" : "'" + Printable.of(type) + "'"));
        }
    }

    /// Names the paths that begin as that one, all of them if none does.
    private CompletionStage<Response> unknown(List<String> path) {
        List<Route> near =
                all.stream()
                        .filter(one -> one.segments().getFirst().equals(path.getFirst()))
                        .toList();
        Stream<Route> told = (near.isEmpty() ? all : near).stream();
        return JsonPage.failure(
                404,
                "expected one of "
                        + told.map(Route::wholePath).distinct().collect(Collectors.joining(", "))
                        + ", found '"
                        + AdminApi.ROOT
                        + String.join("/", path)
                        + "'");
    }
}
