package winnow.broker.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.OperationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.util.LDAPSDKException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.broker.BrokerConfig;
import winnow.broker.permission.PermissionFile;

/// A directory of the shape of Active Directory: two names for each user, groups in groups that one
/// filter finds, parts of entries' names with commas, referrals beside what a search finds, and one
/// result for all refusals with a code of Windows behind it.
class ActiveDirectoryTest {
    private static final String ROOT = "DC=corp,DC=example";
    private static final String SERVICE = "CN=svc winnow,OU=Services," + ROOT;
    private static final String ANN = "CN=Smith\\, Ann (Ops),OU=Head Office," + ROOT;
    private static final String TRADERS = "CN=Traders\\, senior,OU=Groups," + ROOT;
    private static final String STAFF = "CN=All Staff,OU=Groups," + ROOT;
    private static final String IN_CHAIN = "1.2.840.113556.1.4.1941";

    private final Path directory;

    /// A domain that a referral names. Nobody accepts: whoever connects waits in its queue.
    private final ServerSocket elsewhere =
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    private final InMemoryDirectoryServer server;
    private final Map<String, String> settings = new HashMap<>();

    ActiveDirectoryTest(@TempDir Path directory) throws Exception {
        this.directory = directory;
        elsewhere.setSoTimeout(200);
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(ROOT);
        config.addAdditionalBindCredentials(SERVICE, "service secret");
        config.setAuthenticationRequiredOperationTypes(OperationType.SEARCH);
        config.setSchema(null);
        config.setListenerConfigs(
                InMemoryListenerConfig.createLDAPConfig(
                        "clear", InetAddress.getLoopbackAddress(), 0, null));
        config.addInMemoryOperationInterceptor(new Windows());
        server = new InMemoryDirectoryServer(config);
        server.add("dn: " + ROOT, "objectClass: domain", "dc: corp");
        for (String unit : List.of("Head Office", "Groups", "Services")) {
            server.add("dn: OU=" + unit + "," + ROOT, "objectClass: organizationalUnit");
        }
        server.add(
                "dn: OU=Elsewhere," + ROOT,
                "objectClass: referral",
                "objectClass: extensibleObject",
                "ref: ldap://127.0.0.1:" + elsewhere.getLocalPort() + "/" + ROOT);
        addUser(ANN, "asmith", "ann.smith@corp.example");
        addGroup(TRADERS, ANN);
        addGroup(STAFF, TRADERS);
        server.startListening();
        settings.putAll(settings());
    }

    private void addUser(String dn, String account, String principal) throws LDAPSDKException {
        server.add(
                "dn: " + dn,
                "objectClass: user",
                "objectCategory: person",
                "sAMAccountName: " + account,
                "userPrincipalName: " + principal,
                "memberOf: " + TRADERS,
                "userPassword: secret");
    }

    private void addGroup(String dn, String member) throws LDAPSDKException {
        server.add("dn: " + dn, "objectClass: group", "member: " + member);
    }

    /// As docs/SECURITY.md has them.
    private Map<String, String> settings() throws IOException {
        Path password = Files.writeString(directory.resolve("bind.pw"), "service secret\n");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        return Map.of(
                "security.ldap.url",
                "ldap://127.0.0.1:" + server.getListenPort("clear"),
                "security.ldap.bind-dn",
                SERVICE,
                "security.ldap.bind-password-file",
                password.toString(),
                "security.ldap.users",
                ROOT,
                "security.ldap.user-filter",
                "(&(objectCategory=person)"
                        + "(|(sAMAccountName=${user})(userPrincipalName=${user})))",
                "security.ldap.user-name",
                "sAMAccountName",
                "security.ldap.groups",
                ROOT,
                "security.ldap.group-filter",
                "(member:" + IN_CHAIN + ":=${dn})");
    }

    @AfterEach
    void stop() throws IOException {
        server.shutDown(true);
        elsewhere.close();
    }

    /// Answers what the directory in memory cannot.
    private final class Windows extends InMemoryOperationInterceptor {
        private static final Pattern CODE = Pattern.compile("CN=data ([0-9a-f]+),.*");

        @Override
        public void processSearchRequest(InMemoryInterceptedSearchRequest request)
                throws LDAPException {
            Filter filter = request.getRequest().getFilter();
            if (IN_CHAIN.equals(filter.getMatchingRuleID())) {
                SearchRequest plain = request.getRequest().duplicate();
                plain.setFilter(anyOf(chain(Objects.requireNonNull(filter.getAssertionValue()))));
                request.setRequest(plain);
            }
        }

        private Filter anyOf(Set<String> members) {
            return Filter.createORFilter(
                    members.stream()
                            .map(member -> Filter.createEqualityFilter("member", member))
                            .toList());
        }

        /// The entry, and all groups in which it is.
        private Set<String> chain(String dn) throws LDAPException {
            Set<String> found = new LinkedHashSet<>(Set.of(dn));
            List<String> open = new ArrayList<>(found);
            while (!open.isEmpty()) {
                Filter filter = Filter.createEqualityFilter("member", open.removeLast());
                for (SearchResultEntry group :
                        Objects.requireNonNull(
                                server.search("OU=Groups," + ROOT, SearchScope.SUB, filter)
                                        .getSearchEntries())) {
                    if (found.add(group.getDN())) {
                        open.add(group.getDN());
                    }
                }
            }
            return found;
        }

        @Override
        public void processSimpleBindRequest(InMemoryInterceptedSimpleBindRequest request)
                throws LDAPException {
            Matcher code = CODE.matcher(request.getRequest().getBindDN());
            if (code.matches()) {
                throw new LDAPException(
                        ResultCode.INVALID_CREDENTIALS,
                        "80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error,"
                                + " data "
                                + code.group(1)
                                + ", v4563\0");
            }
        }
    }

    private ProvenUser check(String user, String password) throws Exception {
        return new LdapUsers(BrokerConfig.of(settings).security().ldap(), () -> 0)
                .check(user, password, _ -> true);
    }

    private static String group(String dn) {
        return PermissionFile.normal("ldap:" + dn);
    }

    @ParameterizedTest
    @CsvSource({"asmith", "ASMITH", "ann.smith@corp.example"})
    void shouldFindUsersByBothNamesAndGroupsInGroups(String typed) throws Exception {
        ProvenUser ann = check(typed, "secret");

        assertThat(ann.name()).isEqualTo("asmith");
        assertThat(ann.groups()).containsExactlyInAnyOrder(group(TRADERS), group(STAFF));
        assertThat(group("cn=traders\\2c senior, ou=groups, dc=corp, dc=example"))
                .isEqualTo(group(TRADERS));
    }

    @Test
    void shouldTakeTheGroupsOfTheEntryInstead() throws Exception {
        settings.remove("security.ldap.groups");
        settings.remove("security.ldap.group-filter");
        settings.put("security.ldap.group-attribute", "memberOf");

        assertThat(check("asmith", "secret").groups()).containsExactly(group(TRADERS));
    }

    /// The domain binds by the principal, too, without a search before.
    @Test
    void shouldFollowNoReferral() throws Exception {
        check("asmith", "secret");
        assertThatThrownBy(() -> check("nobody", "secret"))
                .isInstanceOf(RefusedIdentity.class)
                .isNotInstanceOf(AbsentDirectory.class);

        settings.put("security.ldap.users", "OU=Elsewhere," + ROOT);
        assertThatThrownBy(() -> check("asmith", "secret")).isInstanceOf(AbsentDirectory.class);

        assertThatThrownBy(elsewhere::accept).isInstanceOf(java.net.SocketTimeoutException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "525, there is no such user",
        "52e, the password is wrong",
        "530, the user may not log in at this time",
        "531, the user may not log in from this machine",
        "532, the password has expired",
        "533, the account is disabled",
        "701, the account has expired",
        "773, the user must set another password first",
        "775, the account is locked after wrong passwords"
    })
    void shouldTellOperatorsAloneWhyAUserIsRefused(String code, String meaning) throws Exception {
        String dn = "CN=data " + code + ",OU=Head Office," + ROOT;
        addUser(dn, "user" + code, "user@corp.example");

        assertThatThrownBy(() -> check("user" + code, "secret"))
                .hasMessage("user or password is wrong")
                .isInstanceOfSatisfying(
                        RefusedIdentity.class,
                        refusal ->
                                assertThat(refusal.reason())
                                        .isEqualTo(
                                                "user or password is wrong: entry '"
                                                        + dn
                                                        + "': the directory says 'invalid"
                                                        + " credentials' (49): "
                                                        + meaning
                                                        + " (data "
                                                        + code
                                                        + ")"));
    }

    @Test
    void shouldShowACodeThatItDoesNotKnow() throws Exception {
        addUser("CN=data 5ff,OU=Head Office," + ROOT, "odd", "odd@corp.example");

        assertThatThrownBy(() -> check("odd", "secret"))
                .hasMessage("user or password is wrong")
                .isInstanceOfSatisfying(
                        RefusedIdentity.class,
                        refusal ->
                                assertThat(refusal.reason())
                                        .contains("(49): 80090308: LdapErr: DSID-0C09044E", "5ff")
                                        .doesNotContain("\0"));
    }
}
