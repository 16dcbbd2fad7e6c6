package winnow.broker.session;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.identity.CertificateUsers;
import winnow.broker.identity.ProvenUser;
import winnow.broker.identity.RefusedIdentity;
import winnow.broker.identity.Tokens;
import winnow.wire.Printable;
import winnow.wire.bearer.BearerMessage;
import winnow.wire.scram.ScramException;
import winnow.wire.scram.ScramServer;
import winnow.wire.scram.ScramVerifier;

/// Checks credentials by SASL mechanism: `SCRAM-SHA-256` and `PLAIN` against the user file,
/// `OAUTHBEARER` by the keys of an issuer, `EXTERNAL` by the client's certificate, `ANONYMOUS` only
/// if there is none of these. `PLAIN` and `OAUTHBEARER` are taken only where nobody else can read
/// what they send. Counts and logs failures. Thread-safe.
public final class Authenticator implements AutoCloseable {
    private static final String PLAIN = "PLAIN";
    private static final String ANONYMOUS = "ANONYMOUS";
    private static final String EXTERNAL = "EXTERNAL";
    private static final String WRONG = "user or password is wrong";

    private final boolean allowPlainTextPasswords;
    private final AuthenticationFailures failures;
    private final GuessLimit guesses;
    private final @Nullable PasswordChecks passwords;
    private final @Nullable Tokens tokens;
    private final @Nullable TokenChecks tokenChecks;
    private final @Nullable CertificateUsers certificates;
    private volatile @Nullable UserFile currentUsers;

    /// @param users null if there are none, for ever
    /// @param tokens null if none are taken
    /// @param certificates null if they prove no users
    /// @param allowPlainTextPasswords whether passwords and tokens are taken that others may have
    ///   read
    /// @param failed counts failures
    public Authenticator(
            @Nullable UserFile users,
            @Nullable Tokens tokens,
            @Nullable CertificateUsers certificates,
            boolean allowPlainTextPasswords,
            LongAdder failed) {
        this(users, tokens, certificates, allowPlainTextPasswords, failed, System::nanoTime);
    }

    /// One that takes passwords only.
    public Authenticator(
            @Nullable UserFile users, boolean allowPlainTextPasswords, LongAdder failed) {
        this(users, null, null, allowPlainTextPasswords, failed);
    }

    Authenticator(
            @Nullable UserFile users,
            @Nullable Tokens tokens,
            @Nullable CertificateUsers certificates,
            boolean allowPlainTextPasswords,
            LongAdder failed,
            LongSupplier nanoClock) {
        this.allowPlainTextPasswords = allowPlainTextPasswords;
        this.tokens = tokens;
        this.certificates = certificates;
        currentUsers = users;
        passwords = users == null ? null : new PasswordChecks(this::matches);
        tokenChecks = tokens == null ? null : new TokenChecks(tokens);
        failures = new AuthenticationFailures(failed);
        guesses = new GuessLimit(nanoClock);
    }

    /// What a client gives.
    ///
    /// @param mechanism name of a SASL mechanism
    /// @param response the mechanism's initial response
    /// @param peer where it comes from
    public record Credentials(String mechanism, String response, Peer peer) {}

    /// Where a client is.
    ///
    /// @param address without its port
    /// @param confidential whether nobody else can read what it sends: by TLS or on this machine
    /// @param certificate that TLS has verified, null if the client has shown none
    public record Peer(
            String address, boolean confidential, @Nullable X509Certificate certificate) {
        /// One without a certificate.
        public Peer(String address, boolean confidential) {
            this(address, confidential, null);
        }
    }

    /// Whether clients need credentials.
    public boolean demandsCredentials() {
        return passwords != null || tokens != null || certificates != null;
    }

    /// Credentials that a client without any is asked for.
    public String demand() {
        List<String> ways = new ArrayList<>();
        add(ways, passwords, "a user and a password");
        add(ways, tokens, "a token");
        add(ways, certificates, "a client certificate");
        return "this broker demands " + String.join(", or ", ways);
    }

    /// The same by HTTP.
    public String demandByHttp() {
        List<String> schemes = new ArrayList<>();
        add(schemes, passwords, "Basic");
        add(schemes, tokens, "Bearer");
        return demand() + (schemes.isEmpty() ? "" : ", as HTTP " + String.join(" or ", schemes));
    }

    private static void add(List<String> texts, @Nullable Object way, String text) {
        if (way != null) {
            texts.add(text);
        }
    }

    /// Checks of tokens, null if none are taken.
    public @Nullable Tokens tokens() {
        return tokens;
    }

    /// True if a user may be connected: always where clients need no credentials; with a token or a
    /// certificate until it ends, or until the user file has the name.
    boolean knows(ProvenUser user) {
        UserFile users = currentUsers;
        return users == null
                || users.has(user.name()) == (user.proof() == ProvenUser.Proof.PASSWORD);
    }

    /// Replaces the users. Connections that are open stay, until [Connections#closeRemoved].
    ///
    /// @throws IllegalStateException if there are none
    public void users(UserFile users) {
        PasswordChecks checks = passwords;
        if (checks == null) {
            throw new IllegalStateException(
                    "expected a broker with security.users at its start, found one without");
        }
        UserFile before = currentUsers;
        currentUsers = before == null ? users : users.after(before);
        checks.forget();
    }

    private boolean matches(String user, String password) {
        UserFile users = currentUsers;
        return users != null && users.matches(user, password);
    }

    /// Begins an exchange of SCRAM-SHA-256, which takes microseconds.
    ///
    /// @throws RefusedCredentials saying why not
    ScramServer scram(String clientFirst, Peer peer) throws RefusedCredentials {
        UserFile users = currentUsers;
        if (users == null) {
            throw refusal(
                    peer,
                    "",
                    "this broker has no users (security.users), so it cannot prove that it knows"
                            + " yours: "
                            + (demandsCredentials()
                                    ? demand()
                                    : "connect without user and password"));
        }
        try {
            return new ScramServer(clientFirst, users::verifier);
        } catch (ScramException e) {
            throw refusal(peer, "", String.valueOf(e.getMessage()));
        }
    }

    /// Time that the end of an exchange has to wait, in nanoseconds, because somebody guesses the
    /// user's password.
    ///
    /// @throws RefusedCredentials if too many wait
    long takeTurn(ScramServer exchange, Peer peer) throws RefusedCredentials {
        try {
            return guesses.takeTurn(peer.address(), exchange.user());
        } catch (RefusedCredentials e) {
            failures.onFailure(peer.address(), exchange.user(), String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /// Ends an exchange, when its [turn][#takeTurn] has come.
    ///
    /// @return the last message for the client
    /// @throws RefusedCredentials if the client's proof is wrong
    String finish(ScramServer exchange, String clientFinal, Peer peer) throws RefusedCredentials {
        String last;
        try {
            last = exchange.last(clientFinal);
        } catch (ScramException e) {
            throw refusal(peer, exchange.user(), String.valueOf(e.getMessage()));
        }
        if (last.isEmpty()) {
            guesses.onWrong(peer.address(), exchange.user());
            throw refusal(peer, exchange.user(), WRONG);
        }
        return last;
    }

    private RefusedCredentials refusal(Peer peer, String user, String why) {
        failures.onFailure(peer.address(), user, why);
        return new RefusedCredentials(why);
    }

    /// Checks credentials that need no exchange and tells the result once, on any thread, maybe
    /// before it returns.
    ///
    /// @return gives the attempt up, for a client that has gone; then the result may not be told
    public Runnable authenticate(Credentials credentials, Consumer<LoginResult> result) {
        return switch (credentials.mechanism()) {
            case PLAIN -> plain(credentials, result);
            case BearerMessage.MECHANISM -> bearer(credentials, result);
            case EXTERNAL -> external(credentials, result);
            case ANONYMOUS -> anonymous(credentials, result);
            default ->
                    refuse(
                            credentials,
                            "expected the mechanism %s, %s, %s, %s or %s, found '%s'"
                                    .formatted(
                                            ScramVerifier.MECHANISM,
                                            PLAIN,
                                            BearerMessage.MECHANISM,
                                            EXTERNAL,
                                            ANONYMOUS,
                                            credentials.mechanism()),
                            result);
        };
    }

    private Runnable anonymous(Credentials credentials, Consumer<LoginResult> result) {
        if (demandsCredentials()) {
            return refuse(credentials, demand(), result);
        }
        result.accept(LoginResult.of(ProvenUser.nobody()));
        return () -> {};
    }

    private Runnable plain(Credentials credentials, Consumer<LoginResult> result) {
        PasswordChecks checks = passwords;
        if (checks == null) {
            return demandsCredentials()
                    ? refuse(
                            credentials,
                            "this broker has no users (security.users): " + demand(),
                            result)
                    : anonymous(credentials, result);
        }
        if (!takesPlainFrom(credentials.peer())) {
            return refuse(
                    credentials,
                    "PLAIN sends the password in clear text, which others may have read: use TLS or"
                            + " %s, or set security.allow-plain-text-passwords=true on the broker"
                                    .formatted(ScramVerifier.MECHANISM),
                    result);
        }
        return check(checks, credentials, result);
    }

    /// RFC 7628. A user may act as itself only.
    private Runnable bearer(Credentials credentials, Consumer<LoginResult> result) {
        TokenChecks checks = tokenChecks;
        if (checks == null) {
            return refuse(
                    credentials, "this broker takes no tokens (security.tokens.issuer)", result);
        }
        if (!takesPlainFrom(credentials.peer())) {
            return refuse(
                    credentials,
                    "OAUTHBEARER sends the token in clear text, which others may have read: use"
                            + " TLS, or set security.allow-plain-text-passwords=true on the broker",
                    result);
        }
        BearerMessage message;
        try {
            message = BearerMessage.parse(credentials.response());
        } catch (IllegalArgumentException e) {
            return refuse(credentials, String.valueOf(e.getMessage()), result);
        }
        String address = credentials.peer().address();
        return checks.check(
                message.token(),
                AddressBlock.of(address),
                found -> {
                    LoginResult judged =
                            judge(found, message.authorizationId(), BearerMessage.MECHANISM);
                    if (!judged.accepted()) {
                        failures.onFailure(address, found.user().name(), judged.refusal());
                    }
                    result.accept(judged);
                });
    }

    /// RFC 4422, appendix A. A user may act as itself only.
    private Runnable external(Credentials credentials, Consumer<LoginResult> result) {
        CertificateUsers known = certificates;
        if (known == null) {
            return refuse(
                    credentials,
                    "the certificates of clients prove no users here (security.certificates.user)",
                    result);
        }
        Peer peer = credentials.peer();
        LoginResult judged;
        try {
            judged =
                    judge(
                            LoginResult.of(known.check(peer.certificate())),
                            credentials.response(),
                            EXTERNAL);
        } catch (RefusedIdentity e) {
            judged = LoginResult.refused(String.valueOf(e.getMessage()));
        }
        if (!judged.accepted()) {
            return refuse(credentials, judged.refusal(), result);
        }
        result.accept(judged);
        return () -> {};
    }

    /// True if a certificate proves its user.
    public boolean takesCertificates() {
        return certificates != null;
    }

    /// A name that has a password belongs to who knows it: an issuer may let its users choose
    /// theirs.
    private LoginResult judge(LoginResult found, String authorizationId, String mechanism) {
        String name = found.user().name();
        UserFile users = currentUsers;
        if (!found.accepted()) {
            return found;
        }
        if (users != null && users.has(name)) {
            return LoginResult.refused(
                    "%s: expected a user who is not in security.users, found '%s'"
                            .formatted(mechanism, name));
        }
        return authorizationId.isEmpty() || authorizationId.equals(name)
                ? found
                : LoginResult.refused(
                        "%s: expected no authorisation id or the user's own, found '%s'"
                                .formatted(mechanism, Printable.of(authorizationId)));
    }

    /// True if a password or a token in clear text is taken from there.
    public boolean takesPlainFrom(Peer peer) {
        return peer.confidential() || allowPlainTextPasswords;
    }

    /// RFC 4616. A user may act as itself only.
    private Runnable check(
            PasswordChecks checks, Credentials credentials, Consumer<LoginResult> result) {
        String[] parts = credentials.response().split("\0", -1);
        if (parts.length != 3) {
            return refuse(
                    credentials,
                    "PLAIN: expected authorisation id, user and password separated by NUL",
                    result);
        }
        String user = parts[1];
        if (!parts[0].isEmpty() && !parts[0].equals(user)) {
            return refuse(
                    credentials,
                    "PLAIN: expected no authorisation id or the user's own, found '"
                            + parts[0]
                            + "'",
                    result);
        }
        String address = credentials.peer().address();
        return checks.check(
                user,
                parts[2],
                AddressBlock.of(address),
                refusal -> {
                    if (!refusal.isEmpty()) {
                        failures.onFailure(address, user, refusal);
                    }
                    result.accept(
                            refusal.isEmpty()
                                    ? LoginResult.of(ProvenUser.byPassword(user))
                                    : LoginResult.refused(refusal));
                });
    }

    private Runnable refuse(Credentials credentials, String why, Consumer<LoginResult> result) {
        failures.onFailure(credentials.peer().address(), "", why);
        result.accept(LoginResult.refused(why));
        return () -> {};
    }

    @Override
    public void close() {
        if (passwords != null) {
            passwords.close();
        }
        if (tokenChecks != null) {
            tokenChecks.close();
        }
    }
}
