package winnow.broker.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermissionFileTest {
    private static final String ADMIN = "  - {who: root, may: admin}\n";

    @Test
    void shouldReadGroupsAndRules() throws IOException {
        // when
        Permissions read =
                PermissionFile.parse(
                        """
                        groups:
                          traders: [ann, "ldap:cn=desk"]
                        rules:
                          - who: [traders, bob]
                            may: [send, receive]
                            queues: ["orders-*", "inbox-${user}"]
                            topics: prices
                          - who: root
                            may: admin
                        """,
                        "p");

        // then
        assertThat(read.groups())
                .containsExactly(new PermissionGroup("traders", 2, List.of("ann", "ldap:cn=desk")));
        PermissionRule rule = read.rules().getFirst();
        assertThat(rule.line()).isEqualTo(4);
        assertThat(rule.who()).containsExactly("traders", "bob");
        assertThat(rule.may()).containsExactly(Permission.SEND, Permission.RECEIVE);
        assertThat(rule.patterns(ProtectedKind.QUEUE)).containsExactly("orders-*", "inbox-${user}");
        assertThat(rule.patterns(ProtectedKind.TOPIC)).containsExactly("prices");
        assertThat(rule.patterns(ProtectedKind.CLIENT)).isEmpty();
        assertThat(read.rules().getLast().line()).isEqualTo(8);
    }

    /// The first column is a rule, and an administrator's stands on line 2.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{who: a, may: send} | p:3: expected 'queues' or 'topics' in the rule, which 'send'"
                        + " is about, found none",
                "{who: a, may: sent, queues: q} | found 'sent'; did you mean 'send'?",
                "{who: a, may: send, queue: q} | found 'queue'; did you mean 'queues'?",
                "{who: a, may: [send, view], queues: q, clients: c, subscriptions: 's${who}'}"
                        + " | found '${who}'",
                "{who: a, may: identify, clients: '${client}x'} | expected no variable but ${user}"
                        + " in 'clients', found '${client}'",
                "{who: a, may: send, queues: q, clients: c} | expected no 'clients' in the rule:"
                        + " none of its operations is about clients; identify, view are",
                "{who: [], may: send, queues: q} | expected at least one entry in 'who'",
                "{who: a, may: send, queues: [[q]]} | expected a text of 1 to 1000 characters",
                "{may: send, queues: q} | p:3: expected 'who' in the rule, found none",
                "{who: a, queues: q} | p:3: expected 'may' in the rule, found none",
                "{who: a, who: b, may: send, queues: q} | expected 'who' once, found it on line 3",
                "text | p:3: expected a rule with 'who' and 'may'",
                "{who: a | expected YAML, found: "
            })
    void shouldSayWhatIsWrongWithARule(String rule, String message) {
        assertThatThrownBy(() -> PermissionFile.parse("rules:\n" + ADMIN + "  - " + rule, "p"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("p:")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "groups: {g: [a]} | p:1: expected 'rules', found none: nobody could do anything",
                "rules: [{who: a, may: send, queues: q}] | p:1: expected a rule that gives somebody"
                        + " 'admin', found none",
                "rules: [{who: 'ldap:x', may: admin}] | p:1: expected a rule that gives somebody"
                        + " 'admin', found groups of others only: nobody could change",
                "{groups: {g: ['ldap:x']}, rules: [{who: g, may: admin}]} | found groups of others"
                        + " only",
                "ruls: [] | found 'ruls'; did you mean 'rules'?",
                "groups: {g: [h], h: [a]} | expected users and groups of others",
                "groups: {'ldap:x': [a]} | expected a name of a group, found 'ldap:x'",
                "groups: [a] | expected names with values in groups",
                "rules: a | expected a list in 'rules'",
                "~~ | p:1: expected 'groups' and 'rules', found nothing"
            })
    void shouldSayWhatIsWrongWithAFile(String text, String message) {
        assertThatThrownBy(() -> PermissionFile.parse(text, "p"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldNameAllThatIsWrong() {
        assertThatThrownBy(() ->
                        PermissionFile.parse(
                                "rules:\n  - {who: a, may: sent}\n  - {wo: a, may: view}\n", "p"))
                .hasMessageContainingAll("p:2: ", "p:3: ");
    }

    @Test
    void shouldBoundWhatItReads(@TempDir Path directory) throws IOException {
        // given
        String rules = "rules:\n" + ADMIN.repeat(1001);
        Path file = Files.writeString(directory.resolve("p"), "#".repeat((1 << 20) + 1));

        // then
        assertThatThrownBy(() -> PermissionFile.parse(rules, "p"))
                .hasMessageContaining("expected at most 1000 entries in 'rules', found 1001");
        assertThatThrownBy(() -> PermissionFile.read(file))
                .hasMessageContaining("expected at most 1048576 bytes, found more");
    }

    @Test
    void shouldKnowObjectsOfEveryOperation() {
        assertThat(Arrays.stream(Permission.values()))
                .allSatisfy(one -> assertThat(one.kinds()).isNotEmpty());
    }
}
