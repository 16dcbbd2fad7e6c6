package winnow.broker.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.Parameter;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.admin.request.RouteAccess;
import winnow.broker.admin.request.Verb;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.transport.HttpServer.Response;

/// A question that can be asked: how, what is answered, and who answers. [Routes] finds the one
/// that a request is for, [OpenApi] describes all of them. Immutable.
///
/// @param path below [AdminApi#ROOT]; `{name}` stands for any text
/// @param operation name of the question for programs, in camelCase
/// @param summary of the question for people, a part of a sentence
/// @param parameters that the query may have
/// @param answer record, or its entries' if it is a list
/// @param list whether it is a list of these
/// @param access what the user who asks needs
/// @param body record that a request has as JSON, null if it has no body
/// @param conditional whether the headers If-Match and If-None-Match count
/// @param conflict why it may be refused as things are, empty if it is not
/// @param handler answers
record Route(
        Verb verb,
        String path,
        String operation,
        String summary,
        List<Parameter> parameters,
        Class<?> answer,
        boolean list,
        RouteAccess access,
        @Nullable Class<?> body,
        boolean conditional,
        String conflict,
        Handler handler) {
    /// Answers a request.
    @FunctionalInterface
    interface Handler {
        /// @throws IllegalArgumentException saying what is wrong with the request
        CompletionStage<Response> answer(Asked asked) throws IOException;
    }

    Route {
        parameters = List.copyOf(parameters);
    }

    static Draft get(String path, String operation, String summary) {
        return new Draft(Verb.GET, path, operation, summary);
    }

    static Draft post(String path, String operation, String summary) {
        return new Draft(Verb.POST, path, operation, summary);
    }

    static Draft put(String path, String operation, String summary) {
        return new Draft(Verb.PUT, path, operation, summary);
    }

    static Draft delete(String path, String operation, String summary) {
        return new Draft(Verb.DELETE, path, operation, summary);
    }

    /// A route that is being written. Used by one thread.
    static final class Draft {
        private final Verb verb;
        private final String path;
        private final String operation;
        private final String summary;
        private final List<Parameter> parameters = new ArrayList<>();
        private @Nullable Class<?> answer;
        private boolean list;
        private @Nullable RouteAccess access;
        private @Nullable Class<?> body;
        private boolean conditional;
        private String conflict = "";

        private Draft(Verb verb, String path, String operation, String summary) {
            this.verb = verb;
            this.path = path;
            this.operation = operation;
            this.summary = summary;
        }

        Draft with(Parameter... more) {
            parameters.addAll(Arrays.asList(more));
            return this;
        }

        /// Whoever may ask at all may ask this.
        Draft forAnybody() {
            access = new RouteAccess.Anybody();
            return this;
        }

        /// It needs an operation on the broker as a whole, or on anything.
        Draft needs(Permission operation) {
            access = new RouteAccess.OfBroker(operation);
            return this;
        }

        /// It leaves out what the user may not see, or do this with.
        Draft filteredBy(Permission operation) {
            access = new RouteAccess.Listed(operation);
            return this;
        }

        /// It needs an operation on the object that its path names.
        ///
        /// @param variable in the path
        /// @param missing says that there is none of that name
        Draft needs(
                Permission operation,
                ProtectedKind kind,
                String variable,
                Function<String, ProblemException> missing) {
            access = new RouteAccess.OfObject(operation, kind, variable, missing);
            return this;
        }

        /// It looks up the object that the operation is on, and checks it.
        Draft looksUp(Permission operation) {
            access = new RouteAccess.LookedUp(operation);
            return this;
        }

        /// It may be refused as things are.
        ///
        /// @param why such as `the queue has consumers`
        Draft conflict(String why) {
            conflict = why;
            return this;
        }

        /// A request has a body.
        ///
        /// @param record that its JSON is
        Draft takes(Class<?> record) {
            body = record;
            return this;
        }

        /// The headers If-Match and If-None-Match of a request count.
        Draft conditional() {
            conditional = true;
            return this;
        }

        /// A list.
        Draft listOf(Class<?> entry) {
            answer = entry;
            list = true;
            return this;
        }

        /// A list of which the first entries are answered, those with a name alone if there is one.
        Draft topOf(Class<?> entry) {
            return listOf(entry).with(Parameter.LIMIT, Parameter.NAME);
        }

        /// A list that is answered page by page.
        Draft pagesOf(Class<?> entry) {
            return topOf(entry).with(Parameter.AFTER);
        }

        Draft of(Class<?> one) {
            answer = one;
            return this;
        }

        Route by(Handler handler) {
            Class<?> told =
                    Objects.requireNonNull(
                            answer, () -> operation + ": expected what it answers, found nothing");
            RouteAccess needed =
                    Objects.requireNonNull(
                            access, () -> operation + ": expected what it needs, found nothing");
            return new Route(
                    verb,
                    path,
                    operation,
                    summary,
                    parameters,
                    told,
                    list,
                    needed,
                    body,
                    conditional,
                    conflict,
                    handler);
        }
    }

    /// As clients ask for it.
    String wholePath() {
        String whole = AdminApi.ROOT + path;
        return path.isEmpty() ? whole.substring(0, whole.length() - 1) : whole;
    }

    /// True if it is answered page by page.
    boolean paged() {
        return parameters.contains(Parameter.AFTER);
    }

    List<String> segments() {
        return List.of(path.split("/", -1));
    }

    static boolean isName(String segment) {
        return segment.startsWith("{");
    }

    /// Values for the names of its path, empty if a request is for something else.
    Optional<Map<String, String>> match(List<String> asked) {
        List<String> segments = segments();
        if (segments.size() != asked.size()) {
            return Optional.empty();
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            String segment = segments.get(i);
            if (isName(segment)) {
                values.put(segment.substring(1, segment.length() - 1), asked.get(i));
            } else if (!segment.equals(asked.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(values);
    }
}
