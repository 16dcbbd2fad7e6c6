package winnow.broker.admin.request;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import winnow.broker.config.NamePattern;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Response;

/// A request that a [winnow.broker.admin.Route] answers. Immutable.
///
/// @param by who asks
/// @param access what that user may do
/// @param values what stands in the path where the route's path has a name
/// @param parameters of the query, all of them known to the route
/// @param request as it came
/// @param guard checks who asks as [#again] does, and says what that user may do then
public record Asked(
        Operator by,
        RequestAccess access,
        Map<String, String> values,
        Map<String, List<String>> parameters,
        HttpServer.Request request,
        Supplier<RequestAccess> guard) {
    public Asked {
        values = Map.copyOf(values);
        parameters = Map.copyOf(parameters);
    }

    /// The same request with what its user may do at this moment, for a change that has waited
    /// before it takes effect.
    ///
    /// @throws ProblemException if the user was removed, has another password or may not ask any
    ///   more
    public Asked again() {
        return new Asked(by, guard.get(), values, parameters, request, guard);
    }

    /// Value in the path for a name of the route's path.
    public String value(String name) {
        return Objects.requireNonNull(values.get(name));
    }

    /// A parameter of the query, empty if it is not there.
    public String text(Parameter parameter) {
        return Listing.text(parameters, parameter.text());
    }

    /// The last entry of the page before, empty for the first page.
    public String after() {
        return text(Parameter.AFTER);
    }

    /// The names of the entries that are wanted.
    public NamePattern names() {
        String name = text(Parameter.NAME);
        return new NamePattern(name.isEmpty() ? "*" : name);
    }

    /// True for names of topics that are wanted and may be seen.
    public Predicate<String> topics() {
        NamePattern names = names();
        return name -> names.fits(name) && access.seesTopic(name);
    }

    /// Target of the page that comes after this one.
    ///
    /// @param path of the list
    /// @param last entry of this page
    public String next(String path, String last) {
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
    public <T> CompletionStage<Response> page(
            String path, List<T> found, ToIntFunction<T> characters, Function<T, String> last) {
        int size = Listing.pageSize(found, limit(), characters);
        return JsonPage.of(
                found.subList(0, size),
                size < found.size() ? next(path, last.apply(found.get(size - 1))) : "");
    }

    /// Highest number of entries of an answer.
    ///
    /// @throws IllegalArgumentException if it is no number, or out of range
    public int limit() {
        return Listing.limit(parameters);
    }
}
