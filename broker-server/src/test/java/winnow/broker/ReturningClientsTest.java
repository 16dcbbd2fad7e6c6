package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import winnow.broker.security.UserFile;
import winnow.wire.ClientInstance;
import winnow.wire.ConsumerRole;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.Source;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.CreateTemporary;

/// Clients that come back to what their lost connection had.
class ReturningClientsTest extends ReturningRig {
    @Test
    void shouldKeepWhatTheConnectionHad() throws IOException {
        // given
        Returned first = connect(instance, "me", 1, 0);
        String queue = Protocol.TEMPORARY_PREFIX + "%016x/1".formatted(first.id());
        first.client().request(id -> new CreateTemporary(id, DestinationKind.QUEUE, queue));
        first.client().close();
        TestClient other = client();
        other.greet();
        other.send(DestinationKind.QUEUE, queue, 1, "reply");

        // when
        Returned again = connect(instance, "me", 2, 0);

        // then
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.welcome().store()).isEqualTo(first.welcome().store());
        again.client().request(id -> new CreateTemporary(id, DestinationKind.QUEUE, queue));
        consume(again.client(), DestinationKind.QUEUE, queue);
        assertThat(again.client().take(TestClient.Stored.class).body()).isEqualTo("reply");
    }

    @Test
    void shouldDisplaceAConnectionThatIsStillOpen() throws IOException {
        // given
        Returned first = connect(instance, "me", 1, 0);
        first.client().request(id -> new BeginSession(id, 1, false));
        durable(first.client());
        first.client().send(DestinationKind.TOPIC, "t", 1, "kept");
        first.client().take(TestClient.Stored.class);

        // when
        Returned again = connect(instance, "me", 2, 1);

        // then
        assertThat(again.id()).isEqualTo(first.id());
        again.client().request(id -> new BeginSession(id, 1, false));
        durable(again.client());
        TestClient.Stored redelivered = again.client().take(TestClient.Stored.class);
        assertThat(redelivered.body()).isEqualTo("kept");
        assertThat(redelivered.earlier()).isPositive();
        assertThat(first.client().closedByBroker()).isTrue();
    }

    private static void durable(TestClient client) throws IOException {
        Source source = new Source(DestinationKind.TOPIC, "t", "", "");
        client.request(id ->
                new Consume(id, 1, 1, ConsumerRole.DURABLE, source, "name", false, 9, 1 << 20));
    }

    @Test
    void shouldRefuseAnAttemptThatIsNotTheLast() throws IOException {
        Returned second = connect(2, 0);

        for (int attempt = 1; attempt <= 2; attempt++) {
            TestClient late = client();
            late.hello(hello(instance, "", attempt, 0));
            assertThat(late.expect(ControlFrame.Goodbye.class).code())
                    .isEqualTo(ErrorCode.DUPLICATE_ID.number());
        }
        second.client().send(DestinationKind.QUEUE, "q", 1, "still there");
    }

    @Test
    void shouldLetTheLastOfManyAttemptsIn() throws IOException {
        Returned last = connect(1, 0);
        long id = last.id();

        for (int attempt = 2; attempt <= 50; attempt++) {
            last = connect(attempt, 0);
            assertThat(last.id()).isEqualTo(id);
        }
    }

    @Test
    void shouldForgetAClientThatSaidGoodbye() throws IOException {
        Returned first = connect(instance, "me", 1, 0);
        first.client().send(new ControlFrame.Goodbye(0, ""));
        assertThat(first.client().closedByBroker()).isTrue();

        assertThat(connect(instance, "me", 2, 0).id()).isNotEqualTo(first.id());
    }

    @Test
    void shouldForgetAClientAfterItsTime() throws Exception {
        // given
        startWith("session.resume-timeout", "100ms");
        Returned first = connect(1, 0);
        String queue = Protocol.TEMPORARY_PREFIX + "%016x/1".formatted(first.id());
        first.client().request(id -> new CreateTemporary(id, DestinationKind.QUEUE, queue));
        TestClient other = client();
        other.greet();
        first.client().close();

        // when
        ControlFrame answer = new ControlFrame.Heartbeat();
        for (int i = 0; i < 500 && !(answer instanceof ControlFrame.Refused); i++) {
            int handle = i + 1;
            other.send(new ControlFrame.Open(handle, handle, DestinationKind.QUEUE, queue));
            answer = other.await(ControlFrame.class);
            Thread.sleep(10);
        }

        // then
        assertThat(answer).isInstanceOf(ControlFrame.Refused.class);
        assertThat(connect(2, 0).id()).isNotEqualTo(first.id());
    }

    @Test
    void shouldKeepNothingWithoutATime() throws IOException {
        startWith("session.resume-timeout", "0s");
        Returned first = connect(instance, "me", 1, 0);

        assertThat(connect(instance, "me", 2, 0).id()).isNotEqualTo(first.id());
    }

    @Test
    void shouldMakeRoomForTheOneThatWentLast() throws Exception {
        // given
        startWith("session.max-away", "1");
        ClientInstance other = ClientInstance.create();
        Returned first = connect(1, 0);
        Returned second = connect(other, "", 1, 0);
        first.client().close();
        awaitAway(1, first.id());
        second.client().close();
        awaitAway(1, second.id());

        // then
        assertThat(connect(other, "", 2, 0).id()).isEqualTo(second.id());
        assertThat(connect(2, 0).id()).isNotEqualTo(first.id());
    }

    /// Waits until a client is among those that are away.
    private void awaitAway(int count, long id) throws Exception {
        String expected = "\"id\":\"%016x\"".formatted(id);
        String page = "";
        for (int i = 0; i < 500 && !isAway(page, expected); i++) {
            Thread.sleep(10);
            page = BrokerPages.get(broker, "/api/v1/connections", "ann", "secret").body();
        }
        assertThat(page).contains(expected);
        assertThat(page.split("\"away\":true", -1)).hasSize(count + 1);
    }

    private static boolean isAway(String page, String id) {
        int at = page.indexOf(id);
        return at >= 0 && page.startsWith("\"away\":true", page.indexOf("\"away\"", at));
    }

    @Test
    void shouldGiveAClientIdentifierToTheSameUser() throws Exception {
        // given
        Returned first = connect(instance, "me", 1, 0);
        first.client().close();
        awaitAway(1, first.id());

        // when
        Returned restarted = connect(ClientInstance.create(), "me", 1, 0);

        // then
        assertThat(restarted.id()).isNotEqualTo(first.id());
        TestClient late = client();
        late.hello(hello(instance, "me", 2, 0));
        assertThat(late.expect(ControlFrame.Goodbye.class).code())
                .isEqualTo(ErrorCode.CLIENT_ID_IN_USE.number());
    }

    @Test
    void shouldNotGiveAnythingToAnotherUser() throws Exception {
        // given
        Path users =
                TestUsers.write(
                        data, UserFile.line("ann", "secret"), UserFile.line("bob", "secret"));
        startWith("security.users", users.toString());
        TestClient ann = client();
        ann.hello(plain("ann", "me", 1));
        long id = ann.expect(ControlFrame.Welcome.class).connectionId();
        ann.close();
        awaitAway(1, id);

        // when
        TestClient sameIdentifier = client();
        sameIdentifier.hello(plain("bob", "me", 2));
        TestClient bob = client();
        bob.hello(plain("bob", "", 3));

        // then
        assertThat(sameIdentifier.expect(ControlFrame.Goodbye.class).code())
                .isEqualTo(ErrorCode.CLIENT_ID_IN_USE.number());
        assertThat(bob.expect(ControlFrame.Welcome.class).connectionId()).isNotEqualTo(id);
        TestClient again = client();
        again.hello(plain("ann", "me", 2));
        assertThat(again.expect(ControlFrame.Welcome.class).connectionId()).isEqualTo(id);
    }

    private ControlFrame.Hello plain(String user, String clientId, int attempt) {
        return new ControlFrame.Hello(
                CAPABILITIES,
                clientId,
                "PLAIN",
                "\0" + user + "\0secret",
                0,
                "test",
                new Resumption(instance, attempt, 0));
    }

    @Test
    void shouldTellAnotherStoreFromThisOne() throws IOException {
        UUID before = connect(1, 0).welcome().store();
        startWith();

        assertThat(connect(2, 0).welcome().store()).isNotNull().isNotEqualTo(before);
    }
}
