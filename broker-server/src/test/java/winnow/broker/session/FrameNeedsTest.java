package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.wire.ConsumerRole;
import winnow.wire.DestinationKind;
import winnow.wire.FrameType;
import winnow.wire.Source;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.CreateTemporary;
import winnow.wire.frame.DeleteSubscription;

class FrameNeedsTest {
    /// Frames of clients that need a permission; PermissionWireTest sends each of them.
    private static final Set<String> CHECKED =
            Set.of(
                    "HELLO",
                    "OPEN",
                    "SUBSCRIBE",
                    "CONSUME",
                    "DELETE_SUBSCRIPTION",
                    "CREATE_TEMPORARY",
                    "DECIDE",
                    "LIST_PREPARED");

    /// Frames of clients about what their connection has opened, begun or made before, or of the
    /// connection itself.
    private static final Set<String> OF_OWN =
            Set.of(
                    "RESPONSE",
                    "RELEASE",
                    "PUBLISH",
                    "UNSUBSCRIBE",
                    "CONSUMER_CREDIT",
                    "PUBLISH_IN_PARTS",
                    "PUBLISH_PART",
                    "CANCEL_PARTS",
                    "BEGIN_SESSION",
                    "END_SESSION",
                    "END_CONSUMER",
                    "ACKNOWLEDGE",
                    "RECOVER",
                    "COMMIT",
                    "ASK_COMMIT",
                    "DELETE_TEMPORARY",
                    "END_BRANCH",
                    "ASK",
                    "GIVE_BACK",
                    "REJECT",
                    "MARK",
                    "HEARTBEAT",
                    "GOODBYE");

    /// Frames of clients about what all clients share: names of properties.
    private static final Set<String> OF_ALL = Set.of("INTERN");

    private static final Source QUEUE = new Source(DestinationKind.QUEUE, "q", "", "");
    private static final Source TOPIC = new Source(DestinationKind.TOPIC, "t", "", "");

    @Test
    void shouldKnowEveryFrameOfClients() throws IllegalAccessException {
        // when
        Set<String> ofClients = new TreeSet<>();
        for (Field field : FrameType.class.getDeclaredFields()) {
            if (field.getType() == int.class && Modifier.isPublic(field.getModifiers())) {
                int type = field.getInt(null);
                if (type < 0x40 || type >= 0x70) {
                    ofClients.add(field.getName());
                }
            }
        }

        // then
        Set<String> known = new TreeSet<>(CHECKED);
        known.addAll(OF_OWN);
        known.addAll(OF_ALL);
        assertThat(ofClients).hasSizeGreaterThan(30).isEqualTo(known);
    }

    @Test
    void shouldNeedPermissionsForWhatIsOpened() {
        assertThat(FrameNeeds.of(new ControlFrame.Open(1, 1, DestinationKind.QUEUE, "q")))
                .containsExactly(new Need(Permission.SEND, ProtectedKind.QUEUE, "q"));
        assertThat(FrameNeeds.of(new ControlFrame.Subscribe(1, 1, TOPIC, false, 1, 1)))
                .containsExactly(new Need(Permission.RECEIVE, ProtectedKind.TOPIC, "t"));
        assertThat(FrameNeeds.of(new DeleteSubscription(1, "s")))
                .containsExactly(new Need(Permission.SUBSCRIBE, ProtectedKind.SUBSCRIPTION, "s"));
        assertThat(FrameNeeds.of(new CreateTemporary(1, DestinationKind.QUEUE, "x")))
                .containsExactly(new Need(Permission.TEMPORARY, ProtectedKind.BROKER, ""));
    }

    @Test
    void shouldNeedPermissionsForEveryRoleOfAConsumer() {
        // given
        Need receive = new Need(Permission.RECEIVE, ProtectedKind.TOPIC, "t");
        Need subscribe = new Need(Permission.SUBSCRIBE, ProtectedKind.SUBSCRIPTION, "s");
        Map<ConsumerRole, List<Need>> expected =
                Map.of(
                        ConsumerRole.QUEUE,
                        List.of(new Need(Permission.RECEIVE, ProtectedKind.QUEUE, "q")),
                        ConsumerRole.BROWSER,
                        List.of(new Need(Permission.BROWSE, ProtectedKind.QUEUE, "q")),
                        ConsumerRole.SHARED,
                        List.of(receive, subscribe),
                        ConsumerRole.SHARED_DURABLE,
                        List.of(receive, subscribe),
                        ConsumerRole.DURABLE,
                        List.of(receive, subscribe));

        // then
        assertThat(Arrays.asList(ConsumerRole.values()))
                .allSatisfy(role ->
                        assertThat(FrameNeeds.of(consume(role))).isEqualTo(expected.get(role)));
    }

    private static Consume consume(ConsumerRole role) {
        boolean queue = role.isQueue();
        return new Consume(1, 1, 1, role, queue ? QUEUE : TOPIC, queue ? "" : "s", false, 1, 1);
    }
}
