package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.TestUsers;
import winnow.broker.metrics.AuthenticationCounters;
import winnow.broker.security.Authenticator;
import winnow.broker.security.UserFile;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.ClientInstance;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.WireException;
import winnow.wire.frame.ControlFrame;
import winnow.wire.scram.ScramClient;
import winnow.wire.scram.ScramVerifier;

class ClientConnectionTest {
    private static final int HEARTBEAT_MILLIS = 1000;

    /// More than the ticks of two heartbeats.
    private static final int UNREAD_TICKS =
            (int)
                    (SessionConfig.DEFAULTS.unreadTimeout().toMillis()
                            / ClientConnection.TICK_MILLIS);

    private static final int LONG_SILENCE = 3 * HEARTBEAT_MILLIS / ClientConnection.TICK_MILLIS;

    private final FakeSessionLoop loop = new FakeSessionLoop(new BacklogMemory(1024));
    private final FakeOutput output = new FakeOutput(loop);
    private final ClientConnection connection = new ClientConnection(loop.context(1024), output);

    private void hello() {
        hello(connection, "ANONYMOUS", "");
    }

    private static void hello(ClientConnection to, String mechanism, String response) {
        frame(to, new ControlFrame.Hello(0, "", mechanism, response, HEARTBEAT_MILLIS, "test"));
    }

    @Test
    void shouldTellWhatALateHandshakeWaitedFor(@TempDir Path directory) throws IOException {
        // given one client that has said nothing, one whose credentials are being checked, and one
        // that has not answered its challenge
        Path users = TestUsers.write(directory, UserFile.line("ada", "secret"));
        try (Authenticator authenticator =
                new Authenticator(UserFile.read(users), false, new AuthenticationCounters())) {
            SessionContext context = loop.context(1024, authenticator);
            List<ClientConnection> late =
                    List.of(
                            new ClientConnection(context, output),
                            new ClientConnection(context, output),
                            new ClientConnection(context, output));
            hello(late.get(1), "PLAIN", "\0ada\0secret");
            String first = new ScramClient("ada", "secret").first();
            hello(late.get(2), ScramVerifier.MECHANISM, first);

            // when
            late.forEach(ClientConnection::onHandshakeTimeout);

            // then
            assertThat(output.frames)
                    .filteredOn(ControlFrame.Goodbye.class::isInstance)
                    .containsExactly(
                            late("expected Hello in time, found none"),
                            late(
                                    "the password was not checked in time, because the broker"
                                            + " checks others; try again, or see"
                                            + " transport.handshake-timeout"),
                            late("expected Response in time, found none"));
        }
    }

    /// Between the check of a password and the end of the client's earlier connection the users
    /// change: the connection has no user yet, so that nobody closes it.
    @Test
    void shouldNotWelcomeAUserWhoWasRemovedMeanwhile(@TempDir Path directory) throws Exception {
        // given
        Path file = TestUsers.write(directory, UserFile.line("ada", "secret"));
        try (Authenticator authenticator =
                new Authenticator(UserFile.read(file), false, new AuthenticationCounters())) {
            SessionContext context = loop.context(1024, authenticator);
            ClientInstance instance = ClientInstance.create();
            authenticate(context, new Resumption(instance, 1, 0));
            loop.runAllCommands();
            assertThat(output.frames.getLast()).isInstanceOf(ControlFrame.Welcome.class);
            authenticate(context, new Resumption(instance, 2, 0));

            // when
            Files.writeString(file, UserFile.line("bob", "secret") + "\n");
            authenticator.users(UserFile.read(file));
            var _ = context.connections().closeOutdated(authenticator, "");
            output.frames.clear();
            loop.runAllCommands();

            // then
            assertThat(output.frames)
                    .containsExactly(
                            new ControlFrame.Goodbye(
                                    ErrorCode.NOT_AUTHORIZED.number(),
                                    "user 'ada' is not in security.users any more"));
            assertThat(context.connections().open()).isEmpty();
        }
    }

    /// A connection of ada's whose password has been checked.
    private void authenticate(SessionContext context, Resumption resumption) throws Exception {
        ClientConnection returning = new ClientConnection(context, output);
        ScramClient scram = new ScramClient("ada", "secret");
        long capabilities = Protocol.STORED | Protocol.RESUME;
        frame(
                returning,
                new ControlFrame.Hello(
                        capabilities,
                        "",
                        ScramVerifier.MECHANISM,
                        scram.first(),
                        HEARTBEAT_MILLIS,
                        "test",
                        resumption));
        ControlFrame.Challenge challenge = (ControlFrame.Challenge) output.frames.getLast();
        frame(returning, new ControlFrame.Response(scram.last(challenge.data())));
    }

    private static void frame(ClientConnection to, ControlFrame frame) {
        to.request(frame);
    }

    private static ControlFrame late(String message) {
        return new ControlFrame.Goodbye(ErrorCode.HANDSHAKE_TIMEOUT.number(), message);
    }

    @Test
    void shouldExpectNoFrameWhileItAuthenticates() {
        // given
        hello();

        // when, then
        assertThatThrownBy(this::hello)
                .isInstanceOf(WireException.class)
                .hasMessage("expected no frame but Response before Welcome, found Hello");
    }

    private void greet() {
        hello();
        loop.runAllCommands();
        assertThat(output.frames.removeFirst()).isInstanceOf(ControlFrame.Welcome.class);
    }

    @Test
    void shouldGiveUpASilentClient() {
        // given
        greet();

        // when
        tick(LONG_SILENCE);

        // then
        assertThat(output.frames.getLast()).isInstanceOf(ControlFrame.Goodbye.class);
        ControlFrame.Goodbye goodbye = (ControlFrame.Goodbye) output.frames.getLast();
        assertThat(goodbye.code()).isEqualTo(ErrorCode.HEARTBEAT_TIMEOUT.number());
    }

    @Test
    void shouldNotTakeAClientForSilentThatIsNotRead() {
        // given a client that does not read, and therefore is not read either
        greet();
        output.writable = false;

        // when
        tick(10 * LONG_SILENCE);

        // then
        assertThat(output.frames).isEmpty();

        // and it has all the time of two heartbeats when it is read again
        output.writable = true;
        tick(2 * HEARTBEAT_MILLIS / ClientConnection.TICK_MILLIS);
        assertThat(output.frames).isNotEmpty().allMatch(ControlFrame.Heartbeat.class::isInstance);
    }

    @Test
    void shouldCloseAClientWhoseSocketTakesNothing() {
        // given
        greet();
        output.writable = false;
        output.socketProgress = 7;
        int limit = UNREAD_TICKS;

        // when it takes a little in between
        tick(limit - 1);
        output.socketProgress++;
        tick(limit);

        // then
        assertThat(output.frames).isEmpty();

        // and it is closed when it takes nothing any more
        tick(1);
        ControlFrame.Goodbye goodbye = (ControlFrame.Goodbye) output.frames.getLast();
        assertThat(goodbye.code()).isEqualTo(ErrorCode.HEARTBEAT_TIMEOUT.number());
        assertThat(goodbye.message()).contains("session.unread-timeout");
    }

    /// It waits for the broker to copy the next piece of a large message.
    @Test
    void shouldNotCloseAClientWhoseSocketHasTakenAll() {
        // given
        greet();
        output.writable = false;

        // when
        tick(2 * UNREAD_TICKS);

        // then
        assertThat(output.frames).isEmpty();
    }

    @Test
    void shouldCloseAClientThatHoldsTheRoomOfOthers() {
        // given a client that says something now and then
        greet();
        output.receives = true;
        output.contendedFrame = 7;
        int limit = 30_000 / ClientConnection.TICK_MILLIS;

        // when its frames become whole
        tick(limit);
        output.contendedFrame++;
        tick(limit);

        // then
        assertThat(output.frames).noneMatch(ControlFrame.Goodbye.class::isInstance);

        // and when one does not
        tick(1);
        ControlFrame.Goodbye goodbye = (ControlFrame.Goodbye) output.frames.getLast();
        assertThat(goodbye.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
        assertThat(goodbye.message()).contains("others wait for its room");
    }

    private void tick(int times) {
        for (int i = 0; i < times; i++) {
            connection.onTick();
        }
    }
}
