package winnow.broker.admin;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import winnow.broker.permission.AccessControl;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// Everything that the API answers, by path and verb. Immutable.
///
/// @param control says who may ask
record Routes(List<Route> all, AccessControl control) {
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
        return found.handler().answer(new Asked(by, access, values, request.parameters()));
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
