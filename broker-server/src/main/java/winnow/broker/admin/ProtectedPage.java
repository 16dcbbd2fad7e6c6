package winnow.broker.admin;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Pattern;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.security.Authenticator;
import winnow.broker.security.LoginResult;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.bearer.BearerMessage;

/// A page that tells names of the broker's users' own: if clients need credentials, so does this,
/// as HTTP Basic, a bearer token or a client certificate. A connection by the socket of this
/// machine proves its user. Thread-safe.
public final class ProtectedPage implements HttpServer.Page {
    private static final int UNAUTHORIZED = 401;
    private static final String BASIC = "Basic ";
    private static final String BEARER = "Bearer ";
    private static final String NOT_BASIC =
            "Authorization: expected Basic and user:password in base 64, or Bearer and a token";

    private static final String IN_CLEAR =
            "HTTP Basic and Bearer send password or token in clear text, which others could read:"
                    + " use https"
                    + " (tls.certificate) or a loopback address, or set"
                    + " security.allow-plain-text-passwords=true";

    /// An IP address or localhost, perhaps with a port. A browser asks for a page of another name
    /// when that name's owner lets it lead here (DNS rebinding).
    private static final Pattern LOCAL =
            Pattern.compile(
                    "(|localhost|[a-z0-9.-]+\\.localhost|[0-9.]+|\\[[0-9a-f:.%]+])(:\\d+)?",
                    Pattern.CASE_INSENSITIVE);

    private static final String FOREIGN_HOST =
            "expected an IP address or localhost in the header Host, because this broker has no"
                    + " users (security.users), found ";

    private final Authenticator authenticator;
    private final HttpServer.Page page;

    public ProtectedPage(Authenticator authenticator, HttpServer.Page page) {
        this.authenticator = authenticator;
        this.page = page;
    }

    @Override
    public CompletionStage<Response> get(Request request) {
        return answer(request, page::get);
    }

    @Override
    public CompletionStage<Response> post(Request request) {
        return answer(request, page::post);
    }

    @Override
    public CompletionStage<Response> put(Request request) {
        return answer(request, page::put);
    }

    @Override
    public CompletionStage<Response> delete(Request request) {
        return answer(request, page::delete);
    }

    private CompletionStage<Response> answer(
            Request request, Function<Request, CompletionStage<Response>> page) {
        if (request.user().isLocal()) {
            return page.apply(request);
        }
        if (!authenticator.demandsCredentials()) {
            return LOCAL.matcher(request.headers().host()).matches()
                    ? page.apply(request)
                    : JsonPage.failure(403, FOREIGN_HOST + request.headers().host());
        }
        Authenticator.Peer peer = new Authenticator.Peer(request.address(), request.confidential());
        if (!authenticator.takesPlainFrom(peer)) {
            return JsonPage.failure(403, IN_CLEAR);
        }
        String authorization = request.headers().authorization();
        X509Certificate certificate = request.client().certificate();
        boolean shown = certificate != null && authenticator.takesCertificates();
        if (authorization.isEmpty() && shown) {
            return answer(
                    new Authenticator.Credentials(
                            "EXTERNAL",
                            "",
                            new Authenticator.Peer(peer.address(), true, certificate)),
                    request,
                    page);
        }
        if (authorization.isEmpty()) {
            // Browsers ask so first, which is no failure.
            return JsonPage.failure(UNAUTHORIZED, authenticator.ways().demandByHttp())
                    .thenApply(refusal -> challenged(request, refusal));
        }
        String token = token(authorization);
        Authenticator.Credentials credentials =
                token.isEmpty()
                        ? new Authenticator.Credentials("PLAIN", plain(authorization), peer)
                        : new Authenticator.Credentials(
                                BearerMessage.MECHANISM, BearerMessage.of(token).text(), peer);
        return answer(credentials, request, page);
    }

    private CompletionStage<Response> answer(
            Authenticator.Credentials credentials,
            Request request,
            Function<Request, CompletionStage<Response>> page) {
        CompletableFuture<LoginResult> result = new CompletableFuture<>();
        // Pages are made on their own thread, not on the one that checks credentials.
        Runnable giveUp =
                authenticator.authenticate(
                        credentials,
                        found -> request.client().execute(() -> result.complete(found)));
        CompletableFuture<Response> answer =
                result.thenCompose(found ->
                                found.accepted()
                                        ? page.apply(request.by(found.user()))
                                        : JsonPage.failure(
                                                found.passing() ? 503 : UNAUTHORIZED,
                                                credentials.mechanism().equals("PLAIN")
                                                                && credentials.response().isEmpty()
                                                        ? NOT_BASIC
                                                        : found.refusal()))
                        .thenApply(response -> challenged(request, response));
        var _ = answer.whenComplete((_, _) -> giveUp.run());
        return answer;
    }

    /// Tells a client that has proved no user how to prove one.
    private Response challenged(Request request, Response response) {
        return response.status() == UNAUTHORIZED
                ? response.with(
                        authenticator
                                .ways()
                                .challenges(isBearer(request.headers().authorization())))
                : response;
    }

    private static boolean isBearer(String authorization) {
        return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
    }

    /// The token in a Bearer authorization header, empty if it is not one.
    private static String token(String authorization) {
        if (!isBearer(authorization)) {
            return "";
        }
        String token = authorization.substring(BEARER.length()).strip();
        return BearerMessage.isToken(token) ? token : "";
    }

    /// The SASL PLAIN response that says what a Basic authorization header says, empty if it is not
    /// one.
    private static String plain(String authorization) {
        if (!authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return "";
        }
        try {
            String text = authorization.substring(BASIC.length()).strip();
            byte[] decoded = Base64.getDecoder().decode(text);
            return "\0" + new String(decoded, StandardCharsets.UTF_8).replaceFirst(":", "\0");
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
