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
import java.util.concurrent.CompletionStage;
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
import winnow.broker.logging.LogSetup;
import winnow.broker.permission.AuditEvent;
import winnow.broker.permission.PermissionChanges;
import winnow.broker.permission.PermissionFile;
import winnow.broker.permission.Permissions;
import winnow.broker.session.ConnectionInfo;
import winnow.broker.session.SessionContext;
import winnow.broker.session.UserFile;
import winnow.broker.session.UserFileWriter;
import winnow.broker.subscription.SubscriptionsBehind;
import winnow.broker.transport.TcpServer;
import winnow.broker.transport.TlsCertificates;

/// The settings of a running broker: tells what they are, and reads them again. Thread-safe.
final class RunningConfig implements BrokerSettings {
    private static final Logger LOG = LoggerFactory.getLogger(RunningConfig.class);
    private static final String USERS = "security.users";
    private static final String PERMISSIONS = "security.permissions";

    /// Ends the message about a reload that found something wrong.
    private static final String UNCHANGED =
            "; nothing was changed: settings, users, permissions and certificates stay as they"
                    + " were";

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

    /// Reads settings, users, permissions and certificates again, and puts into force what can
    /// change at run time. All is read and checked first: where something is wrong, nothing
    /// changes.
    ///
    /// @throws IllegalArgumentException saying what is wrong with the settings
    /// @throws IOException if a file cannot be read
    @Override
    public synchronized Reloaded reload() throws IOException {
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
        context.connections().closeRemoved(context.authenticator());
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
        log(outcome);
        return outcome;
    }

    /// Everything that a reload reads, checked and not yet in force.
    ///
    /// @param users empty if clients need no credentials
    /// @param permissions null if every user may do everything
    /// @param certificates empty without TLS
    private record Next(
            SettingSources sources,
            Reload<BrokerConfig> reload,
            Optional<UserFile> users,
            @Nullable Permissions permissions,
            Optional<TlsCertificates.Loaded> certificates) {}

    private Next readAll() throws IOException {
        SettingSources sources = source.read();
        BrokerConfig next = sources.read(BrokerConfig.class);
        boolean authenticated = current.security().enabled();
        if (authenticated != next.security().enabled()) {
            throw new IllegalArgumentException(
                    USERS
                            + ": whether clients need credentials cannot change while the broker"
                            + " runs; it needs a restart");
        }
        return new Next(
                sources,
                Reload.of(current, next),
                authenticated ? Optional.of(readUsers(next)) : Optional.empty(),
                readPermissions(next),
                certificates.isPresent()
                        ? Optional.of(certificates.get().load())
                        : Optional.empty());
    }

    /// @return null if clients need no credentials
    /// @throws IllegalArgumentException if the broker would be open to everybody
    static @Nullable UserFile readUsers(BrokerConfig config, InetAddress bind) throws IOException {
        if (config.security().enabled()) {
            return readUsers(config);
        }
        if (!bind.isLoopbackAddress()) {
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

    /// @return null if every user may do everything
    static @Nullable Permissions readPermissions(BrokerConfig config) throws IOException {
        if (!config.security().limited()) {
            return null;
        }
        if (!config.security().enabled()) {
            throw new IllegalArgumentException(
                    PERMISSIONS
                            + ": expected users whom they are about (security.users), found none");
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

    /// The user file that is in force. What else was changed in it takes effect with a change. A
    /// reload and a change wait for each other.
    private final class RunningUsers implements BrokerUsers {
        @Override
        public boolean enabled() {
            return current.security().enabled();
        }

        @Override
        public UserFile users() throws IOException {
            return readUsers(current);
        }

        @Override
        public UserChange putUser(String name, String password, UserFileWriter.Guard guard)
                throws IOException {
            return change(
                    name,
                    "the password of user '" + name + "' was changed",
                    file -> UserFileWriter.put(file, name, password, guard));
        }

        @Override
        public UserChange removeUser(String name, UserFileWriter.Guard guard) throws IOException {
            return change(
                    name,
                    "user '" + name + "' is not in security.users any more",
                    file -> UserFileWriter.remove(file, name, guard));
        }

        private UserChange change(String name, String why, FileChange change) throws IOException {
            synchronized (RunningConfig.this) {
                UserFileWriter.Written written = write(change);
                context.authenticator().users(written.after());
                CompletionStage<List<ConnectionInfo>> ended =
                        context.connections().closeOf(name, why);
                context.connections().closeRemoved(context.authenticator());
                return new UserChange(written, ended);
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
