package winnow.broker.admin.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import winnow.broker.transport.HttpServer.Response;

/// Answers in JSON.
public final class JsonPage {
    private static final String JSON = "application/json";

    private JsonPage() {}

    public static CompletionStage<Response> failure(int status, String message) {
        return CompletableFuture.completedStage(Response.problem(status, message));
    }

    public static CompletionStage<Response> of(Object value) {
        return of(value, "");
    }

    /// @param nextPage target of what comes after this, empty if there is nothing
    public static CompletionStage<Response> of(Object value, String nextPage) {
        return CompletableFuture.completedStage(new Response(200, JSON, text(value), nextPage));
    }

    private static String text(Object value) {
        try {
            return Mapper.JSON.writeValueAsString(value) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of plain values have a JSON form", e);
        }
    }

    /// Made at the first use, because loading the library takes a part of the broker's start.
    private static final class Mapper {
        static final JsonMapper JSON = JsonMapper.builder().build();
    }
}
