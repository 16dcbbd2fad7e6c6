package winnow.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.admin.BrokerSettings;
import winnow.broker.admin.BrokerUsers;
import winnow.broker.config.ConfigReader;
import winnow.broker.config.FileProblem;
import winnow.broker.config.Reload;
import winnow.broker.config.Reload.Change;
import winnow.broker.config.SettingInfo;
import winnow.broker.config.SettingSources;
import winnow.broker.identity.CertificateConfig;
import winnow.broker.identity.CertificateUsers;
import winnow.broker.identity.LdapConfig;
import winnow.broker.identity.LdapUsers;
import winnow.broker.identity.ProvenUser;
import winnow.broker.identity.TokenConfig;
import winnow.broker.identity.Tokens;
import winnow.broker.logging.LogSetup;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.permission.AuditEvent;
import winnow.broker.permission.PermissionChanges;
import winnow.broker.permission.PermissionFile;
import winnow.broker.permission.Permissions;
import winnow.broker.security.Authenticator;
import winnow.broker.security.ForeignProofs;
import winnow.broker.security.SecurityConfig;
import winnow.broker.security.UserFile;
import winnow.broker.security.UserFileWriter;
import winnow.broker.session.SessionContext;
import winnow.broker.subscription.SubscriptionsBehind;
import winnow.broker.transport.TcpServer;
import winnow.broker.transport.tls.TlsCertificates;
import winnow.broker.transport.tls.TlsConfig;
import winnow.wire.Printable;

/// The settings of a running broker: tells what they are, and reads them again. Thread-safe.
final class RunningConfig implements BrokerSettings {
    private static final Logger LOG = LoggerFactory.getLogger(RunningConfig.class);
    private static final String USERS = "security.users";
    private static final String PERMISSIONS = "security.permissions";

    /// Ends the message about a reload that found something wrong.
    private static final String UNCHANGED =
            "; nothing was changed: settings, users, permissions, certificates and keys stay as"
                    + " they were";

    private final Source source;
    private final SessionContext context;
    private final TcpServer server;
    private final Optional<TlsCertificates> certificates;
    private final BrokerUsers users = new RunningUsers();
    private volatile BrokerConfig current;

    /// By key, where the value in force is from.
    private volatile Map<String, String> valueSources;

    /// Reads everything that settings are from.
    @FunctionalInterface
    interface Source {
        SettingSources read() throws IOException;
    }

    /// @param certificates of TLS, if it is on
    RunningConfig(
            BrokerConfig config,
            Source source,
            SessionContext context,
            TcpServer server,
            Optional<TlsCertificates> certificates)
            throws IOException {
        this.current = config;
        this.valueSources = valueSources(source.read(), List.of(), Map.of());
        this.certificates = certificates;
        this.source = source;
        this.context = context;
        this.server = server;
    }

    BrokerConfig config() {
        return current;
    }

    @Override
    public List<Setting> settings() {
        Map<String, String> sources = valueSources;
        return ConfigReader.describe(BrokerConfig.DEFAULTS, current).stream()
                .map(info -> setting(info, sources))
                .toList();
    }

    private static Setting setting(SettingInfo info, Map<String, String> sources) {
        return new Setting(
                info.key(),
                info.effective(),
                sources.getOrDefault(info.key(), SettingSources.DEFAULT),
                info.defaultValue(),
                info.unit(),
                info.meaning(),
                info.reloadable());
    }

    /// @param unchanged settings whose values stay, and so do their sources
    private static Map<String, String> valueSources(
            SettingSources sources, List<Change> unchanged, Map<String, String> before) {
        Map<String, String> found = new HashMap<>();
        for (String key : ConfigReader.keys(BrokerConfig.DEFAULTS).keySet()) {
            found.put(key, sources.source(key));
        }
        for (Change change : unchanged) {
            found.put(change.key(), before.getOrDefault(change.key(), SettingSources.DEFAULT));
        }
        return Map.copyOf(found);
    }

    /// Reads settings, users, permissions, certificates, the keys of tokens and the files for a
    /// directory again, and puts into force what can change at run time. All is read and checked
    /// first: where something is wrong, nothing changes.
    ///
    /// @throws IllegalArgumentException saying what is wrong with the settings
    /// @throws IOException if a file cannot be read
    @Override
    public synchronized Reloaded reload(Runnable guard) throws IOException {
        guard.run();
        Next next;
        try {
            next = readAll();
        } catch (IOException e) {
            AuditEvent.of("reload-refused").log(String.valueOf(e.getMessage()));
            throw new IOException(e.getMessage() + UNCHANGED, e);
        } catch (IllegalArgumentException e) {
            AuditEvent.of("reload-refused").log(String.valueOf(e.getMessage()));
            throw new IllegalArgumentException(e.getMessage() + UNCHANGED, e);
        }
        String permissions = PermissionChanges.text(context.access().current(), next.permissions);
        certificates.ifPresent(files -> next.certificates.ifPresent(files::use));
        next.users.ifPresent(context.authenticator()::users);
        next.foreign.run();
        var _ = context.connections().closeOutdated(context.authenticator(), "");
        context.access().use(next.permissions);
        context.connections().checkPermissions();
        apply(next.reload.config());
        valueSources = valueSources(next.sources, next.reload.needsRestart(), valueSources);
        Reloaded outcome =
                new Reloaded(
                        next.reload.changed(),
                        next.reload.needsRestart(),
                        next.users.map(UserFile::size).orElse(0),
                        permissions);
        next.users.ifPresent(RunningConfig::warnOfNames);
        log(outcome);
        return outcome;
    }

    /// Everything that a reload reads, checked and not yet in force.
    ///
    /// @param users empty if there are none
    /// @param permissions null if every user may do everything
    /// @param certificates empty without TLS
    /// @param foreign puts into force what proves users who are not in the file
    private record Next(
            SettingSources sources,
            Reload<BrokerConfig> reload,
            Optional<UserFile> users,
            @Nullable Permissions permissions,
            Optional<TlsCertificates.Loaded> certificates,
            Runnable foreign) {}

    private Next readAll() throws IOException {
        SettingSources sources = source.read();
        BrokerConfig next = sources.read(BrokerConfig.class);
        boolean users = current.security().hasUsers();
        if (users != next.security().hasUsers()
                || current.security().enabled() != next.security().enabled()) {
            throw new IllegalArgumentException(
                    USERS
                            + ": whether clients need credentials cannot change while the broker"
                            + " runs; it needs a restart");
        }
        return new Next(
                sources,
                Reload.of(current, next),
                users ? Optional.of(readUsers(next)) : Optional.empty(),
                readPermissions(next),
                certificates.isPresent()
                        ? Optional.of(certificates.get().load())
                        : Optional.empty(),
                context.authenticator().prepareReload());
    }

    /// Checks logins by users, tokens, certificates and a directory, as far as they are set.
    ///
    /// @param tokens null if none are taken
    /// @throws IOException if a file for the directory cannot be read
    static Authenticator authenticator(
            @Nullable UserFile users,
            BrokerConfig config,
            @Nullable Tokens tokens,
            BrokerCounters counters)
            throws IOException {
        LdapConfig ldap = config.security().ldap();
        CertificateUsers certificates = certificateUsers(config);
        LdapUsers directory =
                ldap.enabled() ? new LdapUsers(ldap, System::currentTimeMillis) : null;
        return new Authenticator(
                users,
                new ForeignProofs(tokens, certificates, directory),
                config.security().allowPlainTextPasswords(),
                counters.authentication);
    }

    /// @return null if no tokens are taken
    /// @throws IOException if the keys of the issuer are in a file that cannot be read
    static @Nullable Tokens tokens(BrokerConfig config) throws IOException {
        TokenConfig tokens = config.security().tokens();
        return tokens.enabled() ? Tokens.open(tokens, System::currentTimeMillis) : null;
    }

    /// @return null if certificates prove no users
    /// @throws IllegalArgumentException if they should, and clients cannot show any
    static @Nullable CertificateUsers certificateUsers(BrokerConfig config) {
        CertificateConfig certificates = config.security().certificates();
        if (!certificates.enabled()) {
            return null;
        }
        if (!config.tls().enabled()
                || config.tls().clientAuth() == TlsConfig.ClientAuthentication.NONE) {
            throw new IllegalArgumentException(
                    "security.certificates.user: expected clients that show certificates"
                            + " (tls.certificate and tls.client-auth), found none");
        }
        if (!config.tls().jms() && !config.tls().http()) {
            throw new IllegalArgumentException(
                    "security.certificates.user: expected a port with TLS where clients can show"
                            + " certificates, found tls.jms=false and tls.http=false; set one to"
                            + " true");
        }
        boolean clear = takesClearText(config);
        SecurityConfig security = config.security();
        if (!config.tls().jms() && !security.hasUsers() && !(clear && security.hasOtherProofs())) {
            throw new IllegalArgumentException(
                    "security.certificates.user: expected clients of JMS that can prove a user,"
                            + " found tls.jms=false and no way that needs no TLS; set tls.jms=true,"
                            + " or security.users, or "
                            + (clear ? "" : "security.allow-plain-text-passwords=true with ")
                            + "security.tokens.issuer or security.ldap.url");
        }
        return new CertificateUsers(certificates, System::currentTimeMillis);
    }

    /// True if passwords and tokens are taken without TLS: all clients are on this machine, or
    /// others may read them. A proof by SCRAM is always taken.
    static boolean takesClearText(BrokerConfig config) {
        return config.security().allowPlainTextPasswords()
                || StartCheck.address(config.transport().bind()).isLoopbackAddress();
    }

    /// @return null if there are none
    /// @throws IllegalArgumentException if the broker would be open to everybody
    static @Nullable UserFile readUsers(BrokerConfig config, InetAddress bind) throws IOException {
        if (config.security().hasUsers()) {
            UserFile users = readUsers(config);
            warnOfNames(users);
            return users;
        }
        if (!config.security().enabled() && !bind.isLoopbackAddress()) {
            throw new IllegalArgumentException(StartCheck.openToEverybody(bind));
        }
        return null;
    }

    static UserFile readUsers(BrokerConfig config) throws IOException {
        try {
            return UserFile.read(config.security().users());
        } catch (IOException e) {
            throw new IOException(USERS + ": " + e.getMessage(), e);
        }
    }

    /// The users of such names can log in all the same, until they have others.
    private static void warnOfNames(UserFile users) {
        for (String name : users.unclearNames()) {
            LOG.warn(
                    "{}: user '{}' can be taken for somebody else: remove it ('winnow user remove')"
                            + " and give it a name that is visible as it is, and neither '*' nor"
                            + " 'local'",
                    USERS,
                    Printable.of(name));
        }
    }

    /// @return null if every user may do everything
    static @Nullable Permissions readPermissions(BrokerConfig config) throws IOException {
        if (!config.security().limited()) {
            return null;
        }
        if (!config.security().enabled()) {
            throw new IllegalArgumentException(
                    PERMISSIONS
                            + ": expected users whom they are about (security.users,"
                            + " security.tokens.issuer, security.certificates.user or"
                            + " security.ldap.url), found none");
        }
        try {
            return PermissionFile.read(config.security().permissions());
        } catch (IOException e) {
            throw new IOException(PERMISSIONS + ": " + e.getMessage(), e);
        }
    }

    @Override
    public BrokerUsers users() {
        return users;
    }

    /// The user file that is in force. Whatever else was changed in it takes effect with a change.
    /// A reload and a change wait for each other.
    private final class RunningUsers implements BrokerUsers {
        @Override
        public boolean enabled() {
            return current.security().hasUsers();
        }

        @Override
        public boolean proves(ProvenUser user) {
            return context.authenticator().proves(user);
        }

        @Override
        public UserFile users() throws IOException {
            return readUsers(current);
        }

        @Override
        public UserChange putUser(String name, String password, UserFileWriter.Guard guard)
                throws IOException {
            return change(name, file -> UserFileWriter.put(file, name, password, guard));
        }

        @Override
        public UserChange removeUser(String name, UserFileWriter.Guard guard) throws IOException {
            return change("", file -> UserFileWriter.remove(file, name, guard));
        }

        /// @param changed name of the user with a new password, empty if there is none
        private UserChange change(String changed, FileChange change) throws IOException {
            synchronized (RunningConfig.this) {
                UserFileWriter.Written written = write(change);
                context.authenticator().users(written.after());
                return new UserChange(
                        written,
                        context.connections().closeOutdated(context.authenticator(), changed));
            }
        }

        private UserFileWriter.Written write(FileChange change) throws IOException {
            Path file = current.security().users();
            try {
                return change.apply(file);
            } catch (FileSystemException | CharacterCodingException e) {
                throw new IOException(
                        USERS
                                + ": "
                                + FileProblem.of(file, e).getMessage()
                                + "; the broker must be able to replace it; nothing was changed",
                        e);
            } catch (IOException e) {
                throw new IOException(USERS + ": " + e.getMessage() + "; nothing was changed", e);
            }
        }
    }

    /// A change of the user file.
    @FunctionalInterface
    private interface FileChange {
        UserFileWriter.Written apply(Path file) throws IOException;
    }

    private void apply(BrokerConfig config) {
        current = config;
        context.currentConfig().set(config.session());
        context.currentBufferBytes().set(config.subscription().buffer().bytes());
        context.backlogMemory()
                .behind()
                .limits(new SubscriptionsBehind.Limits(config.subscription()));
        context.destinations().config(config.destination());
        context.storage().config(config.queue());
        server.config(config.transport());
        LogSetup.apply(config.log());
    }

    private static void log(Reloaded outcome) {
        LOG.info(
                "Settings were read again: {} users; {}{}{}",
                outcome.users(),
                outcome.permissions().isEmpty() ? "" : outcome.permissions() + "; ",
                outcome.changed().isEmpty() ? "nothing changed" : text(outcome.changed()),
                outcome.needsRestart().isEmpty()
                        ? ""
                        : "; needs a restart: " + text(outcome.needsRestart()));
        AuditEvent.of("reload")
                .with("users", String.valueOf(outcome.users()))
                .with("permissions", outcome.permissions())
                .with("changed", text(outcome.changed()))
                .log("settings were read again");
    }

    private static String text(List<Change> changes) {
        return changes.stream().map(Change::toString).collect(Collectors.joining(", "));
    }
}
