package winnow.broker.identity;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.OperationType;
import com.unboundid.util.LDAPSDKException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A directory with the users ann and bob, whose passwords are their names, and the group desk, in
/// which ann is. Ann's entry names the group staff, too. Nobody finds anything without a password.
public final class TestDirectory implements AutoCloseable {
    public static final String DESK = "cn=desk,ou=groups,dc=acme";

    private static final String CLEAR = "clear";
    private static final String TLS = "tls";

    private final InMemoryDirectoryServer server;

    /// @param identity of TLS, which begins with the connection on one port and by StartTLS on the
    ///   other; null for a directory without
    public TestDirectory(@Nullable SSLContext identity) throws LDAPSDKException {
        InetAddress here = InetAddress.getLoopbackAddress();
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=acme");
        config.addAdditionalBindCredentials("cn=broker", "broker secret");
        config.setAuthenticationRequiredOperationTypes(OperationType.SEARCH);
        config.setSchema(null);
        if (identity == null) {
            config.setListenerConfigs(
                    InMemoryListenerConfig.createLDAPConfig(CLEAR, here, 0, null));
        } else {
            config.setListenerConfigs(
                    InMemoryListenerConfig.createLDAPConfig(
                            CLEAR, here, 0, identity.getSocketFactory()),
                    InMemoryListenerConfig.createLDAPSConfig(
                            TLS, here, 0, identity.getServerSocketFactory(), null));
        }
        server = new InMemoryDirectoryServer(config);
        server.add("dn: dc=acme", "objectClass: domain", "dc: acme");
        server.add("dn: ou=people,dc=acme", "objectClass: organizationalUnit", "ou: people");
        server.add("dn: ou=groups,dc=acme", "objectClass: organizationalUnit", "ou: groups");
        add("ann", "ann", "memberOf: cn=Staff, ou=Groups,dc=acme");
        add("bob", "bob");
        server.add(
                "dn: " + DESK,
                "objectClass: groupOfNames",
                "cn: desk",
                "member: uid=ann,ou=people,dc=acme");
        server.startListening();
    }

    /// @param id of the entry
    /// @param more lines of the entry
    void add(String id, String user, String... more) throws LDAPSDKException {
        String[] lines = {
            "dn: uid=" + id + ",ou=people,dc=acme",
            "objectClass: inetOrgPerson",
            "uid: " + id,
            "cn: " + user,
            "sn: " + user,
            "userPassword: " + user
        };
        String[] all = new String[lines.length + more.length];
        System.arraycopy(lines, 0, all, 0, lines.length);
        System.arraycopy(more, 0, all, lines.length, more.length);
        server.add(all);
    }

    /// Puts bob into the group desk.
    public void promoteBob() throws LDAPSDKException {
        server.modify(
                "dn: " + DESK,
                "changetype: modify",
                "add: member",
                "member: uid=bob,ou=people,dc=acme");
    }

    /// Answers so much later.
    void delay(long millis) {
        server.setProcessingDelayMillis(millis);
    }

    String clearUrl(String host) {
        return "ldap://" + host + ":" + server.getListenPort(CLEAR);
    }

    String tlsUrl(String host) {
        return "ldaps://" + host + ":" + server.getListenPort(TLS);
    }

    /// Settings of a broker that asks this directory in clear text.
    public Map<String, String> settings(Path directory) throws Exception {
        Path password = Files.writeString(directory.resolve("bind-password"), "broker secret\n");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        Map<String, String> settings = new HashMap<>();
        settings.put("security.ldap.url", clearUrl("127.0.0.1"));
        settings.put("security.ldap.bind-dn", "cn=broker");
        settings.put("security.ldap.bind-password-file", password.toString());
        settings.put("security.ldap.users", "ou=people,dc=acme");
        settings.put("security.ldap.groups", "ou=groups,dc=acme");
        return settings;
    }

    /// Answers nobody any more.
    @Override
    public void close() {
        server.shutDown(true);
    }
}
