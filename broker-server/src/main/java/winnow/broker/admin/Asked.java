package winnow.broker.admin;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import winnow.broker.config.NamePattern;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Response;

/// A request that a [Route] answers. Immutable.
///
/// @param by who asks
/// @param access what that user may do
/// @param values what stands in the path where the route's path has a name
/// @param parameters of the query, all of them known to the route
/// @param request as it came
record Asked(
        Operator by,
        RequestAccess access,
        Map<String, String> values,
        Map<String, List<String>> parameters,
        HttpServer.Request request) {
    Asked {
        values = Map.copyOf(values);
        parameters = Map.copyOf(parameters);
    }

    /// Value in the path for a name of the route's path.
    String value(String name) {
        return Objects.requireNonNull(values.get(name));
    }

    /// A parameter of the query, empty if it is not there.
    String text(Parameter parameter) {
        return Listing.text(parameters, parameter.text());
    }

    /// The last entry of the page before, empty for the first page.
    String after() {
        return text(Parameter.AFTER);
    }

    /// The names of the entries that are wanted.
    NamePattern names() {
        String name = text(Parameter.NAME);
        return new NamePattern(name.isEmpty() ? "*" : name);
    }

    /// True for names of topics that are wanted and may be seen.
    Predicate<String> topics() {
        NamePattern names = names();
        return name -> names.fits(name) && access.seesTopic(name);
    }

    /// Target of the page that comes after this one.
    ///
    /// @param path of the list
    /// @param last entry of this page
    String next(String path, String last) {
        String name = text(Parameter.NAME);
        return Listing.next(path, last, limit())
                + (name.isEmpty() ? "" : "&name=" + Listing.encode(name));
    }

    /// The answer with a page of a list.
    ///
    /// @param path of the list
    /// @param found its entries, of which one more than [#limit] says that there is another page
    /// @param characters of an entry
    /// @param last what [#after] calls an entry
    <T> CompletionStage<Response> page(
            String path, List<T> found, ToIntFunction<T> characters, Function<T, String> last) {
        int size = Listing.pageSize(found, limit(), characters);
        return JsonPage.of(
                found.subList(0, size),
                size < found.size() ? next(path, last.apply(found.get(size - 1))) : "");
    }

    /// Highest number of entries of an answer.
    ///
    /// @throws IllegalArgumentException if it is no number, or out of range
    int limit() {
        return Listing.limit(parameters);
    }
}
