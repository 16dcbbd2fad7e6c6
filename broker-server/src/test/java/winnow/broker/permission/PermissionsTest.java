package winnow.broker.permission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermissionsTest {
    private static final String TEXT =
            """
            groups:
              traders: [ann, bob, "ldap:cn=desk"]
            rules:
              - {who: traders, may: [send, receive], queues: ["orders-*", "inbox-${user}"]}
              - {who: ann, may: send, queues: "orders-7", topics: news}
              - {who: traders, may: subscribe, subscriptions: ["${client}-*", "${user}/${client}"]}
              - {who: "*", may: receive, topics: "*"}
              - {who: "oidc:/ops", may: [admin, view], queues: "*"}
              - {who: root, may: admin}
            """;

    private final Permissions permissions = PermissionFile.parse(TEXT, "p");

    PermissionsTest() throws IOException {}

    /// The last column is the line of the rule, 0 for none.
    @ParameterizedTest
    @CsvSource({
        "ann, send, queue, orders-1, '', 4",
        "ann, send, queue, orders-7, '', 4",
        "ann, send, topic, news, '', 5",
        "ann, send, topic, orders-7, '', 0",
        "bob, send, topic, news, '', 0",
        "eve, send, queue, orders-1, '', 0",
        "traders, send, queue, orders-1, '', 0",
        "ldap:cn=desk, send, queue, orders-1, '', 0",
        "ann, browse, queue, orders-1, '', 0",
        "ann, receive, queue, inbox-ann, '', 4",
        "ann, receive, queue, inbox-bob, '', 0",
        "ann, receive, queue, 'inbox-${user}', '', 0",
        "eve, receive, topic, anything, '', 7",
        "'', receive, topic, anything, '', 7",
        "ann, subscribe, subscription, c1-x, c1, 6",
        "ann, subscribe, subscription, c2-x, c1, 0",
        "ann, subscribe, subscription, c1-x, '', 0",
        "ann, subscribe, subscription, -x, '', 0",
        "ann, subscribe, subscription, ann/c1, c1, 6",
        "ann, subscribe, subscription, anything-x, *, 0",
        "ann, subscribe, subscription, '${user}/ann', '${user}', 0",
        "ann, admin, broker, '', '', 0",
    })
    void shouldNameTheRuleThatAllows(
            String user, String operation, String kind, String name, String client, int line) {
        assertThat(line(permissions.of(user, Set.of()), operation, kind, name, client))
                .isEqualTo(line);
    }

    private static int line(
            UserPermissions of, String operation, String kind, String name, String client) {
        return of.line(
                Permission.valueOf(operation.toUpperCase(java.util.Locale.ROOT)),
                ProtectedKind.valueOf(kind.toUpperCase(java.util.Locale.ROOT)),
                name,
                client);
    }

    @Test
    void shouldTakeGroupsOfOthers() {
        // when
        UserPermissions desk = permissions.of("eve", Set.of("ldap:cn=desk"));
        UserPermissions ops = permissions.of("eve", Set.of("oidc:/ops", "ldap:cn=other"));
        UserPermissions claimed = permissions.of("eve", Set.of("ann", "traders"));

        // then
        assertThat(desk.allow(Permission.SEND, ProtectedKind.QUEUE, "orders-1")).isTrue();
        assertThat(ops.allow(Permission.ADMIN)).isTrue();
        assertThat(ops.allowAll(Permission.VIEW, ProtectedKind.QUEUE)).isTrue();
        assertThat(ops.allowAll(Permission.VIEW, ProtectedKind.TOPIC)).isFalse();
        assertThat(claimed.allow(Permission.SEND, ProtectedKind.QUEUE, "orders-1")).isFalse();
        assertThat(claimed.allowAny(Permission.SEND)).isFalse();
    }

    @Test
    void shouldTakeGroupsOfADirectoryInWhateverWayTheyAreWritten() throws IOException {
        // given
        Permissions written =
                PermissionFile.parse(
                        """
                        groups: {desk: "ldap:CN=Desk, OU=Groups,dc=acme"}
                        rules: [{who: [desk, root, "ldap:Staff"], may: admin}]
                        """,
                        "p");

        // then
        assertThat(allows(written, "ldap:cn=desk,ou=groups,dc=acme")).isTrue();
        assertThat(allows(written, "ldap:cn=Desk,ou=Groups, dc=ACME")).isTrue();
        assertThat(allows(written, "ldap:Staff")).isTrue();
        assertThat(allows(written, "ldap:cn=desk,dc=acme")).isFalse();
    }

    private static boolean allows(Permissions permissions, String group) {
        return PermissionDecision.of(
                        permissions,
                        "ann",
                        Set.of(group),
                        new PermissionDecision.Question(
                                Permission.ADMIN, ProtectedKind.BROKER, "", ""))
                .allowed();
    }

    /// Connections do not have a copy of the rules each.
    @Test
    void shouldKeepThePermissionsOfAUser() {
        // given
        UserPermissions first = permissions.of("ann", Set.of());

        // then
        assertThat(permissions.of("ann", Set.of())).isSameAs(first);
        assertThat(permissions.of("ann", Set.of("ldap:cn=desk"))).isNotSameAs(first);

        // when
        for (int i = 0; i < Permissions.MAX_USERS; i++) {
            permissions.of("user" + i, Set.of());
        }

        // then
        assertThat(permissions.of("ann", Set.of())).isNotSameAs(first);
    }

    /// A user whose name is a pattern would read everybody's queue.
    @Test
    void shouldNotTakeANameForAPattern() throws IOException {
        // given
        Permissions everybody =
                PermissionFile.parse(
                        """
                        rules:
                          - {who: "*", may: receive, queues: "inbox-${user}"}
                          - {who: root, may: admin}
                        """,
                        "p");

        // then
        assertThat(
                        everybody
                                .of("*", Set.of())
                                .allow(Permission.RECEIVE, ProtectedKind.QUEUE, "inbox-ann"))
                .isFalse();
        assertThat(
                        everybody
                                .of("a*", Set.of())
                                .allow(Permission.RECEIVE, ProtectedKind.QUEUE, "inbox-a*"))
                .isFalse();
        assertThat(
                        everybody
                                .of("ann", Set.of())
                                .allow(Permission.RECEIVE, ProtectedKind.QUEUE, "inbox-ann"))
                .isTrue();
    }

    /// Queues that the broker keeps for topics and for replies are no queues for a rule of `*`.
    @ParameterizedTest
    @CsvSource({
        "all, view, winnow.delayed/prices, 0",
        "all, browse, winnow.delayed/prices, 0",
        "all, edit, winnow.delayed/prices, 0",
        "all, delete, winnow.delayed/prices, 0",
        "all, create, winnow.delayed/prices, 0",
        "desk, view, winnow.delayed/prices, 3",
        "desk, browse, winnow.delayed/prices, 3",
        "desk, browse, winnow.delayed/news, 0",
        "desk, edit, winnow.delayed/prices, 0",
        "root, edit, winnow.delayed/prices, 5",
        "root, browse, winnow.delayed/prices, 0",
        "all, view, winnow.temporary/1/r, 2",
        "all, browse, winnow.temporary/1/r, 0",
        "all, edit, winnow.temporary/1/r, 0",
        "all, delete, winnow.temporary/1/r, 0",
        "named, browse, winnow.temporary/1/r, 4",
        "named, edit, winnow.temporary/1/r, 0",
        "root, browse, winnow.temporary/1/r, 5",
        "root, delete, winnow.temporary/1/r, 5",
        "all, browse, winnow.dead, 2"
    })
    void shouldNotTakeTheBrokersQueuesForQueues(
            String user, String operation, String name, int line) throws IOException {
        // given
        Permissions rules =
                PermissionFile.parse(
                        """
                        rules:
                          - {who: all, may: [view, browse, edit, create, delete], queues: "*"}
                          - {who: desk, may: [view, browse], topics: prices}
                          - {who: named, may: browse, queues: ["x", "winnow.temporary/*"]}
                          - {who: root, may: admin}
                        """,
                        "p");

        // then
        assertThat(line(rules.of(user, Set.of()), operation, "queue", name, "")).isEqualTo(line);
    }

    @Test
    void shouldCountRefusalsAndNameNobodyElse() {
        // given
        List<Permission> counted = new ArrayList<>();
        AccessControl control = new AccessControl(permissions, counted::add);

        // when
        String refusal =
                control.refuse(
                        new AccessControl.Asker("eve", "10.0.0.1", "1"),
                        Permission.SEND,
                        ProtectedKind.QUEUE,
                        "orders-1");

        // then
        assertThat(refusal)
                .isEqualTo(
                        "user 'eve' may not send to queue 'orders-1': no rule of"
                                + " security.permissions allows 'send'; ask for one");
        assertThat(counted).containsExactly(Permission.SEND);
        assertThat(AccessControl.none().of("eve", Set.of()).allowEverything()).isTrue();
    }
}
