package winnow.broker.admin.request;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import winnow.broker.transport.HttpServer.Response;

/// Method by which something is asked for.
public enum Verb {
    GET("GET, HEAD"),
    POST("POST"),
    PUT("PUT"),
    DELETE("DELETE");

    private final String allow;

    Verb(String allow) {
        this.allow = allow;
    }

    /// Says which ones would have been right.
    public CompletionStage<Response> notAllowed(Verb... allowed) {
        List<Verb> all = Arrays.asList(allowed);
        String text = all.stream().map(one -> one.allow).collect(Collectors.joining(", "));
        return CompletableFuture.completedStage(Response.notAllowed(text, name()));
    }
}
