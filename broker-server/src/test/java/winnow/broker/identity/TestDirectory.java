package winnow.broker.identity;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.OperationType;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLServerSocketFactory;
import org.jspecify.annotations.Nullable;

/// A directory with the users ann and bob, whose passwords are their names, and the group desk.
public final class TestDirectory implements AutoCloseable {
    public static final String DESK = "cn=desk,ou=groups,dc=acme";

    private final InMemoryDirectoryServer server;
    private final boolean tls;

    /// @param sockets of TLS, null for a directory without
    public TestDirectory(@Nullable SSLServerSocketFactory sockets) throws LDAPException {
        tls = sockets != null;
        InetAddress here = InetAddress.getLoopbackAddress();
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=acme");
        config.addAdditionalBindCredentials("cn=broker", "broker secret");
        config.setAuthenticationRequiredOperationTypes(
                OperationType.SEARCH);
        config.setListenerConfigs(
                sockets == null
                        ? InMemoryListenerConfig.createLDAPConfig("clear", here, 0, null)
                        : InMemoryListenerConfig.createLDAPSConfig(
                                "tls", here, 0, sockets, null));
        server = new InMemoryDirectoryServer(config);
        server.add("dn: dc=acme", "objectClass: domain", "dc: acme");
        server.add("dn: ou=people,dc=acme", "objectClass: organizationalUnit", "ou: people");
        server.add("dn: ou=groups,dc=acme", "objectClass: organizationalUnit", "ou: groups");
        for (String user : new String[] {"ann", "bob"}) {
            add(user, user);
        }
        server.add(
                "dn: " + DESK,
                "objectClass: groupOfNames",
                "cn: desk",
                "member: uid=ann,ou=people,dc=acme");
        server.startListening();
    }

    /// @param id of the entry
    void add(String id, String user) throws LDAPException {
        server.add(
                "dn: uid=" + id + ",ou=people,dc=acme",
                "objectClass: inetOrgPerson",
                "uid: " + id,
                "cn: " + user,
                "sn: " + user,
                "userPassword: " + user);
    }

    /// Answers so much later.
    void delay(long millis) {
        server.setProcessingDelayMillis(millis);
    }

    /// Settings of a broker that asks this directory.
    public Map<String, String> settings(Path directory) throws Exception {
        Path password = Files.writeString(directory.resolve("bind-password"), "broker secret\n");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        Map<String, String> settings = new HashMap<>();
        settings.put(
                "security.ldap.url",
                (tls ? "ldaps://localhost:" : "ldap://127.0.0.1:") + server.getListenPort());
        settings.put("security.ldap.bind-dn", "cn=broker");
        settings.put("security.ldap.bind-password-file", password.toString());
        settings.put("security.ldap.users", "ou=people,dc=acme");
        settings.put("security.ldap.groups", "ou=groups,dc=acme");
        return settings;
    }

    @Override
    public void close() {
        server.shutDown(true);
    }
}
