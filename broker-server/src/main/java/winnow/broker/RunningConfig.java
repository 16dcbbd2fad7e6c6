package winnow.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.admin.BrokerSettings;
import winnow.broker.config.ConfigReader;
import winnow.broker.config.Reload;
import winnow.broker.config.Reload.Change;
import winnow.broker.config.SettingInfo;
import winnow.broker.config.SettingSources;
import winnow.broker.identity.Tokens;
import winnow.broker.logging.LogSetup;
import winnow.broker.permission.AuditEvent;
import winnow.broker.permission.PermissionChanges;
import winnow.broker.permission.PermissionFile;
import winnow.broker.permission.Permissions;
import winnow.broker.session.SessionContext;
import winnow.broker.session.UserFile;
import winnow.broker.subscription.SubscriptionsBehind;
import winnow.broker.transport.TcpServer;
import winnow.broker.transport.TlsCertificates;
import winnow.broker.transport.TlsConfig;

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

    /// Reads settings, users, permissions, certificates and the keys of tokens again, and puts into
    /// force what can change at run time. All is read and checked first: where something is wrong,
    /// nothing changes.
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
        next.issuerKeys.run();
        context.authenticator().forgetDirectory();
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
    /// @param users empty if there are none
    /// @param permissions null if every user may do everything
    /// @param certificates empty without TLS
    /// @param issuerKeys puts keys of the issuer of tokens into force
    private record Next(
            SettingSources sources,
            Reload<BrokerConfig> reload,
            Optional<UserFile> users,
            @Nullable Permissions permissions,
            Optional<TlsCertificates.Loaded> certificates,
            Runnable issuerKeys) {}

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
        Tokens tokens = context.authenticator().tokens();
        return new Next(
                sources,
                Reload.of(current, next),
                users ? Optional.of(readUsers(next)) : Optional.empty(),
                readPermissions(next),
                certificates.isPresent()
                        ? Optional.of(certificates.get().load())
                        : Optional.empty(),
                tokens == null ? () -> {} : tokens.prepareReload());
    }

    /// Checks that clients show certificates if these prove users.
    ///
    /// @throws IllegalArgumentException if they should, and clients show none
    static void requireCertificates(BrokerConfig config) {
        boolean shown =
                config.tls().enabled()
                        && config.tls().clientAuth() != TlsConfig.ClientAuthentication.NONE;
        if (config.security().certificates().enabled() && !shown) {
            throw new IllegalArgumentException(
                    "security.certificates.user: expected clients that show certificates"
                            + " (tls.certificate and tls.client-auth), found none");
        }
    }

    /// @return null if there are none
    /// @throws IllegalArgumentException if the broker would be open to everybody
    static @Nullable UserFile readUsers(BrokerConfig config, InetAddress bind) throws IOException {
        if (config.security().hasUsers()) {
            return readUsers(config);
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

    /// @return null if every user may do everything
    static @Nullable Permissions readPermissions(BrokerConfig config) throws IOException {
        if (!config.security().limited()) {
            return null;
        }
        if (!config.security().enabled()) {
            throw new IllegalArgumentException(
                    PERMISSIONS
                            + ": expected users whom they are about (security.users,"
                            + " security.tokens, security.certificates or security.ldap), found"
                            + " none");
        }
        try {
            return PermissionFile.read(config.security().permissions());
        } catch (IOException e) {
            throw new IOException(PERMISSIONS + ": " + e.getMessage(), e);
        }
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
