package winnow.broker.security;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.identity.CertificateUsers;
import winnow.broker.identity.LdapUsers;
import winnow.broker.identity.ProvenUser;
import winnow.broker.identity.RefusedIdentity;
import winnow.broker.identity.Tokens;
import winnow.broker.metrics.AuthenticationCounters;
import winnow.wire.Printable;
import winnow.wire.bearer.BearerMessage;
import winnow.wire.scram.ScramException;
import winnow.wire.scram.ScramServer;
import winnow.wire.scram.ScramVerifier;

/// Checks credentials by SASL mechanism: `SCRAM-SHA-256` against the user file, `PLAIN` against it
/// and by a directory, `OAUTHBEARER` by the keys of an issuer, `EXTERNAL` by the client's
/// certificate, `ANONYMOUS` only if there is none of these. `PLAIN` and `OAUTHBEARER` are taken
/// only where nobody else can read what they send. Counts and logs failures. Thread-safe.
public final class Authenticator implements AutoCloseable {
    public static final String PLAIN = "PLAIN";
    public static final String WRONG = "user or password is wrong";

    private static final String ANONYMOUS = "ANONYMOUS";
    private static final String EXTERNAL = "EXTERNAL";

    /// A directory takes the password itself, and a proof by SCRAM needs what it does not tell.
    private static final String BY_PLAIN =
            "users of the directory (security.ldap) log in by mechanism=PLAIN over TLS";

    private final boolean allowPlainTextPasswords;
    private final AuthenticationFailures failures;
    private final GuessLimit guesses;
    private final UserTags tags = new UserTags();
    private final @Nullable PasswordChecks passwords;
    private final ForeignProofs foreign;
    private final LoginWays ways;
    private final @Nullable TokenChecks tokenChecks;
    private final @Nullable DirectoryChecks directoryChecks;
    private volatile @Nullable UserFile currentUsers;

    /// @param users null if there are none, for ever
    /// @param foreign ways to prove users who are not in the file
    /// @param allowPlainTextPasswords whether passwords and tokens are taken that others may have
    ///   read
    /// @param counters of failures and times
    public Authenticator(
            @Nullable UserFile users,
            ForeignProofs foreign,
            boolean allowPlainTextPasswords,
            AuthenticationCounters counters) {
        this(users, foreign, allowPlainTextPasswords, counters, System::nanoTime);
    }

    /// One that takes passwords of the file only.
    public Authenticator(
            @Nullable UserFile users,
            boolean allowPlainTextPasswords,
            AuthenticationCounters counters) {
        this(users, ForeignProofs.NONE, allowPlainTextPasswords, counters);
    }

    Authenticator(
            @Nullable UserFile users,
            ForeignProofs foreign,
            boolean allowPlainTextPasswords,
            AuthenticationCounters counters,
            LongSupplier nanoClock) {
        this.allowPlainTextPasswords = allowPlainTextPasswords;
        this.foreign = foreign;
        currentUsers = users;
        failures = new AuthenticationFailures(counters.failures);
        guesses = new GuessLimit(nanoClock);
        passwords = users == null ? null : new PasswordChecks(this::matches);
        Tokens tokens = foreign.tokens();
        tokenChecks = tokens == null ? null : new TokenChecks(tokens, counters.tokens);
        LdapUsers directory = foreign.directory();
        directoryChecks =
                directory == null
                        ? null
                        : new DirectoryChecks(directory, guesses, nanoClock, counters.directory);
        ways =
                new LoginWays(
                        users != null || directory != null,
                        tokens != null,
                        foreign.certificates() != null);
    }

    /// Credentials that a client gives.
    ///
    /// @param mechanism name of a SASL mechanism
    /// @param response the mechanism's initial response
    /// @param peer where it comes from
    public record Credentials(String mechanism, String response, Peer peer) {}

    /// Remote end of a client's connection.
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

    /// True if clients need credentials.
    public boolean demandsCredentials() {
        return ways.any();
    }

    /// Ways to prove a user.
    public LoginWays ways() {
        return ways;
    }

    /// Reads again what proves users who are not in the file, as far as it is in files.
    ///
    /// @return puts it into force
    /// @throws IOException naming setting and file if one cannot be used
    public Runnable prepareReload() throws IOException {
        Runnable reload = foreign.prepareReload();
        return () -> {
            reload.run();
            if (directoryChecks != null) {
                directoryChecks.forget();
            }
        };
    }

    /// True if passwords are checked by a directory.
    public boolean asksDirectory() {
        return directoryChecks != null;
    }

    /// True if a user may be connected: always where clients need no credentials; one that others
    /// have proved until the proof ends, or until the user file has the name.
    public boolean knows(ProvenUser user) {
        UserFile users = currentUsers;
        return users == null
                || user.isLocal()
                || users.has(user.name()) == (user.proof() == ProvenUser.Proof.PASSWORD);
    }

    /// True if a request of the user may take effect: the user may be connected, and a password
    /// that the request has sent is the user's still.
    public boolean proves(ProvenUser user) {
        UserFile users = currentUsers;
        return knows(user)
                && (users == null
                        || user.passwordTag().isEmpty()
                        || user.passwordTag().equals(tags.of(users, user.name())));
    }

    /// Replaces the users. Connections that are open stay, until
    /// [winnow.broker.session.Connections#closeOutdated].
    ///
    /// @throws IllegalStateException if there are none
    public void users(UserFile users) {
        PasswordChecks checks = passwords;
        if (checks == null) {
            throw new IllegalStateException(
                    "expected a broker with security.users at its start, found one without");
        }
        checks.change(() -> {
            UserFile before = currentUsers;
            currentUsers = before == null ? users : users.after(before);
        });
    }

    private boolean matches(String user, String password) {
        UserFile users = currentUsers;
        return users != null && users.matches(user, password);
    }

    /// Begins an exchange of SCRAM-SHA-256, which takes microseconds.
    ///
    /// @throws RefusedCredentials saying why not
    public ScramServer scram(String clientFirst, Peer peer) throws RefusedCredentials {
        UserFile users = currentUsers;
        if (users == null) {
            throw refusal(
                    peer,
                    "",
                    "this broker has no users (security.users), so it cannot prove that it knows"
                            + " yours: "
                            + (directoryChecks != null
                                    ? BY_PLAIN
                                    : demandsCredentials()
                                            ? ways.demand()
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
    public long takeTurn(ScramServer exchange, Peer peer) throws RefusedCredentials {
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
    public String finish(ScramServer exchange, String clientFinal, Peer peer)
            throws RefusedCredentials {
        String last;
        try {
            last = exchange.last(clientFinal);
        } catch (ScramException e) {
            throw refusal(peer, exchange.user(), String.valueOf(e.getMessage()));
        }
        if (last.isEmpty()) {
            guesses.onWrong(peer.address(), exchange.user());
            throw refusal(
                    peer,
                    exchange.user(),
                    directoryChecks == null ? WRONG : WRONG + "; " + BY_PLAIN);
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
            return refuse(credentials, ways.demand(), result);
        }
        result.accept(LoginResult.of(ProvenUser.nobody()));
        return () -> {};
    }

    private Runnable plain(Credentials credentials, Consumer<LoginResult> result) {
        if (!demandsCredentials()) {
            return anonymous(credentials, result);
        }
        if (passwords == null && directoryChecks == null) {
            return refuse(
                    credentials,
                    "this broker has no users (security.users): " + ways.demand(),
                    result);
        }
        if (!takesPlainFrom(credentials.peer())) {
            return refuse(
                    credentials,
                    "PLAIN sends the password in clear text, which others may have read: use TLS%s,"
                                    .formatted(
                                            passwords == null
                                                    ? ""
                                                    : " or " + ScramVerifier.MECHANISM)
                            + " or set security.allow-plain-text-passwords=true on the broker",
                    result);
        }
        return check(credentials, result);
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
        CertificateUsers known = foreign.certificates();
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
        return foreign.certificates() != null;
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
    private Runnable check(Credentials credentials, Consumer<LoginResult> result) {
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
        return checkPassword(
                user,
                parts[2],
                address,
                found -> {
                    if (!found.accepted()) {
                        failures.onFailure(address, user, found.reason());
                    }
                    result.accept(found);
                });
    }

    /// A name that is in the file has its password there.
    private Runnable checkPassword(
            String user, String password, String address, Consumer<LoginResult> result) {
        UserFile users = currentUsers;
        PasswordChecks checks = passwords;
        DirectoryChecks directory = directoryChecks;
        if (directory != null && (checks == null || users == null || !users.has(user))) {
            return directory.check(
                    user, password, address, found -> result.accept(judge(found, "", PLAIN)));
        }
        if (checks == null || users == null) {
            throw new IllegalStateException("expected users or a directory, found neither");
        }
        // The tag is that of the users before the check: a password that is changed meanwhile
        // proves nothing.
        return checks.check(
                user,
                password,
                AddressBlock.of(address),
                found ->
                        result.accept(
                                found.accepted()
                                        ? LoginResult.of(
                                                ProvenUser.byPassword(user, tags.of(users, user)))
                                        : found));
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
        if (directoryChecks != null) {
            directoryChecks.close();
        }
    }
}
