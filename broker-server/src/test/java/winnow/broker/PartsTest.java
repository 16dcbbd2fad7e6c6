package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.Source;
import winnow.wire.WireWriter;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.CancelParts;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.EndSession;
import winnow.wire.frame.PartsRefused;
import winnow.wire.frame.Publish;
import winnow.wire.frame.PublishInParts;
import winnow.wire.frame.PublishPart;

/// Messages in parts of a client that sends frame by frame, and does not keep to the rules.
class PartsTest {
    private Broker broker;
    private TestClient client;
    private final WireWriter out = new WireWriter(1024);

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings = Map.of("queue.policies", "short=max-message-bytes:1KiB");
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
        client = connect(Protocol.STORED | Protocol.PARTS);
        client.openOnce(DestinationKind.QUEUE, "large", 1);
        client.openOnce(DestinationKind.QUEUE, "short", 2);
        client.awaitProducerCredit(1);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    private TestClient connect(long capabilities) throws IOException {
        TestClient made = new TestClient(broker.address());
        made.hello(new ControlFrame.Hello(capabilities, "", "ANONYMOUS", "", 0, "test"));
        made.expect(ControlFrame.Welcome.class);
        return made;
    }

    private void begin(int handle, int bodyBytes) {
        begin(handle, bodyBytes, 2);
    }

    /// @param headBytes of the message block, of which 2 are the headers
    private void begin(int handle, int bodyBytes, int headBytes) {
        begin(handle, bodyBytes, headBytes, 0);
    }

    /// @param session whose transaction it is for, 0 for none
    private void begin(int handle, int bodyBytes, int headBytes, int session) {
        int mark = PublishInParts.begin(out, handle, Publish.CONFIRM, 0, session, bodyBytes);
        out.writeRaw(new byte[headBytes], 0, headBytes);
        out.endFrame(mark);
    }

    private void part(int handle, int bytes) {
        PublishPart.write(out, handle, new byte[bytes], bytes);
    }

    private void send() throws IOException {
        client.raw(out.toByteArray());
        out.clear();
    }

    private void expectEnd(ErrorCode code) throws IOException {
        send();
        ControlFrame.Goodbye goodbye = client.await(ControlFrame.Goodbye.class);
        assertThat(ErrorCode.ofNumber(goodbye.code())).as(goodbye.message()).isEqualTo(code);
    }

    @Test
    void shouldConfirmAMessageWithItsLastPart() throws Exception {
        // given
        begin(1, 10);
        part(1, 4);
        send();

        // when
        client.publishConfirmed(2, "small");
        assertThat(client.await(ControlFrame.Published.class).count()).isEqualTo(1);
        part(1, 6);
        send();

        // then
        assertThat(client.await(ControlFrame.Published.class).count()).isEqualTo(2);
    }

    @Test
    void shouldNotCountAMessageThatIsCancelled() throws Exception {
        // given
        begin(1, 10);
        part(1, 4);
        send();

        // when
        client.send(new CancelParts(1));
        begin(1, 3);
        part(1, 3);
        send();

        // then
        assertThat(client.await(ControlFrame.Published.class).count()).isEqualTo(1);
    }

    @Test
    void shouldRefuseBeforeAllHasCome() throws Exception {
        // given
        begin(1, 1);
        part(1, 1);
        begin(2, 2000);
        send();

        // when
        PartsRefused refused = client.await(PartsRefused.class);

        // then
        assertThat(refused.handle()).isEqualTo(2);
        assertThat(refused.number()).isEqualTo(1);
        assertThat(refused.message()).contains("queue.max-message-bytes");

        // when
        part(2, 2000);
        send();

        // then
        ControlFrame.PublishRefused late = client.await(ControlFrame.PublishRefused.class);
        assertThat(late.sequence()).isEqualTo(2);
        assertThat(late.handle()).isEqualTo(2);
        assertThat(client.await(ControlFrame.Published.class).count()).isEqualTo(2);
    }

    @Test
    void shouldGiveBackTheCreditOfWhatItRefuses() throws Exception {
        // given
        begin(2, 100_000_000);
        send();
        client.await(PartsRefused.class);

        // then
        for (int sent = 0; sent < 10; sent++) {
            part(2, 200_000);
            send();
            client.awaitProducerCredit(1 << 19);
        }
    }

    @Test
    void shouldEndAClientWhosePartBelongsToNothing() throws Exception {
        part(1, 4);
        expectEnd(ErrorCode.UNEXPECTED_FRAME);
    }

    @Test
    void shouldEndAClientThatBeginsASecondMessageOnAHandle() throws Exception {
        begin(1, 10);
        begin(1, 10);
        expectEnd(ErrorCode.UNEXPECTED_FRAME);
    }

    @Test
    void shouldEndAClientThatSendsMoreThanItAnnounced() throws Exception {
        begin(1, 10);
        part(1, 11);
        expectEnd(ErrorCode.MALFORMED_FRAME);
    }

    @Test
    void shouldEndAClientThatSendsABodyInTheFirstFrame() throws Exception {
        begin(1, 10, 3);
        expectEnd(ErrorCode.UNEXPECTED_FRAME);
    }

    @Test
    void shouldEndAClientThatHasNotSaidThatItKnowsParts() throws Exception {
        // given
        client.close();
        client = connect(Protocol.STORED);
        client.openOnce(DestinationKind.QUEUE, "large", 1);

        // then
        begin(1, 10);
        expectEnd(ErrorCode.UNEXPECTED_FRAME);
    }

    @Test
    void shouldForgetAMessageWhoseHandleIsReleased() throws Exception {
        // given
        begin(1, 10);
        part(1, 4);
        send();

        // when
        client.send(new ControlFrame.Release(1));
        client.publishConfirmed(2, "small");

        // then
        assertThat(client.await(ControlFrame.Published.class).count()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAMessageWhoseSessionNumberIsUsedAgain() throws Exception {
        // given
        client.request(id -> new BeginSession(id, 3, true));
        begin(1, 10, 2, 3);
        part(1, 4);
        send();

        // when
        client.request(id -> new EndSession(id, 3, DeliveryRanges.of()));
        client.request(id -> new BeginSession(id, 3, true));

        // then
        expectRolledBack();
    }

    @Test
    void shouldRefuseAMessageWhoseTransactionHasEnded() throws Exception {
        // given
        client.request(id -> new BeginSession(id, 3, true));
        begin(1, 10, 2, 3);
        part(1, 4);
        send();

        // when
        client.request(id -> new Commit(id, 3, "", DeliveryRanges.of()));

        // then
        expectRolledBack();
    }

    /// Sends the last part, and expects that the session's next transaction has nothing of it.
    private void expectRolledBack() throws IOException {
        part(1, 6);
        send();
        ControlFrame.PublishRefused refused = client.await(ControlFrame.PublishRefused.class);
        assertThat(ErrorCode.ofNumber(refused.code())).isEqualTo(ErrorCode.ROLLED_BACK);
        client.request(id -> new Commit(id, 3, "", DeliveryRanges.of()));
        client.request(id -> new BeginSession(id, 4, false));
        Source source = new Source(DestinationKind.QUEUE, "large", "", "");
        client.request(
                id -> new Consume(id, 1, 4, ConsumerRole.QUEUE, source, "", false, 100, 1 << 20));
        client.publishConfirmed(1, "last");
        assertThat(client.await(TestClient.Stored.class).body()).isEqualTo("last");
    }

    @Test
    void shouldGiveBackTheCreditOfMessagesThatAreCancelled() throws Exception {
        String correlationId = "i".repeat(200_000);
        for (int sent = 1; sent <= 20; sent++) {
            int mark = PublishInParts.begin(out, 1, 0, 0, 0, 10);
            out.writeByte(0);
            out.writeByte(MessageBlock.HAS_CORRELATION_ID);
            out.writeString(correlationId);
            out.endFrame(mark);
            new CancelParts(1).write(out);
            send();
            client.awaitProducerCredit(sent * correlationId.length());
        }
        begin(1, 3);
        part(1, 3);
        send();
        assertThat(client.await(ControlFrame.Published.class).count()).isEqualTo(1);
    }
}
