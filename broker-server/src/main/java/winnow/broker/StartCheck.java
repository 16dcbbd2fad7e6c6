package winnow.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import winnow.broker.config.SettingSources;
import winnow.broker.identity.LdapUsers;
import winnow.broker.identity.Tokens;
import winnow.broker.transport.tls.TlsFiles;
import winnow.store.rocksdb.StoreRequirements;

/// Finds everything that keeps a broker with some settings from starting, however often it is
/// tried, until somebody changes it: wrong settings, and files and directories that they name and
/// that this process cannot use. It opens these files and changes nothing.
final class StartCheck {
    private final List<String> problems;

    private StartCheck(List<String> problems) {
        this.problems = new ArrayList<>(problems);
    }

    /// A line each for what is wrong.
    static List<String> problems(SettingSources sources) {
        SettingSources.Checked<BrokerConfig> checked = sources.check(BrokerConfig.class);
        StartCheck check = new StartCheck(checked.problems());
        BrokerConfig config = checked.config();
        if (config != null) {
            check.address(config);
            check.users(config);
            check.permissions(config);
            if (config.tls().enabled()) {
                check.problems.addAll(new TlsFiles(config.tls()).problems());
            }
            if (config.cluster().enabled()) {
                check.problems.addAll(ClusterBroker.problems(config));
            }
            if (config.storage().durable()) {
                StoreRequirements.problem(config.storage().directory())
                        .ifPresent(problem -> check.problems.add("storage.directory: " + problem));
            }
        }
        return check.problems;
    }

    private void address(BrokerConfig config) {
        int port = config.transport().port();
        if (port != 0 && port == config.http().port()) {
            problems.add(
                    "http.port: expected another port than transport.port, found %d for both"
                            .formatted(port));
        }
        try {
            InetAddress bind = address(config.transport().bind());
            if (!config.security().enabled() && !bind.isLoopbackAddress()) {
                problems.add(openToEverybody(bind));
            }
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private void users(BrokerConfig config) {
        try {
            if (config.security().hasUsers()) {
                RunningConfig.readUsers(config);
            }
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        try {
            if (config.security().tokens().enabled()) {
                Tokens.requireKeys(config.security().tokens());
            }
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        try {
            if (config.security().ldap().enabled()) {
                var _ = new LdapUsers(config.security().ldap(), System::currentTimeMillis);
            }
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private void permissions(BrokerConfig config) {
        try {
            var _ = RunningConfig.certificateUsers(config);
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        try {
            RunningConfig.readPermissions(config);
        } catch (IOException | IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    /// The address of the two ports.
    ///
    /// @throws IllegalArgumentException if it is none
    static InetAddress address(String bind) {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "transport.bind: expected an address of this machine, found '" + bind + "'", e);
        }
    }

    /// Says why a broker without users does not listen there.
    static String openToEverybody(InetAddress bind) {
        return "a broker that listens on "
                + bind.getHostAddress()
                + ", beyond loopback, demands credentials: set security.users to a file made by"
                + " 'winnow user', security.tokens.issuer or security.ldap.url, or bind 127.0.0.1";
    }
}
