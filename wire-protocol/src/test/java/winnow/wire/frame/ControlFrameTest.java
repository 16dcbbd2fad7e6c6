package winnow.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.wire.BranchEnd;
import winnow.wire.ClientInstance;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.Source;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.Xid;

class ControlFrameTest {
    private static final Source SOURCE =
            new Source(DestinationKind.TOPIC, "prices", "p > 3", "[#7;#13]");

    private static final Xid XID = new Xid(-2, new byte[] {1, -1}, new byte[] {0});

    private static final ClientInstance INSTANCE = new ClientInstance(-12_345, 67_890);

    private static final ControlFrame.Hello RETURNING =
            new ControlFrame.Hello(
                    Protocol.STORED | Protocol.RESUME,
                    "client",
                    "ANONYMOUS",
                    "",
                    0,
                    "test",
                    new Resumption(INSTANCE, 300, 1L << 40));

    static Stream<ControlFrame> frames() {
        return Stream.of(
                new ControlFrame.Hello(0, "client-ä", "PLAIN", "\0user\0secret", 15_000, "test"),
                new ControlFrame.Welcome(1, 0, 5, -7L, 1000, 1 << 24, 1 << 19, "winnow", null),
                RETURNING,
                new ControlFrame.Welcome(
                        1, 0, 9, -7L, 1000, 1 << 24, 1 << 19, "winnow", new UUID(-3, 5)),
                new ControlFrame.Challenge("r=abc,s=c2FsdA==,i=4096"),
                new ControlFrame.Response("c=biws,r=abc,p=cHJvb2Y="),
                new ControlFrame.Open(1, 65_536, DestinationKind.QUEUE, "orders"),
                new ControlFrame.Release(300),
                new ControlFrame.Subscribe(2, 1, SOURCE, true, 5000, 1 << 20),
                new ControlFrame.Unsubscribe(3, 1),
                new ControlFrame.Intern("region"),
                new ControlFrame.Accepted(Integer.MAX_VALUE),
                new ControlFrame.Refused(4, ErrorCode.INVALID_SELECTOR.number(), "column 3"),
                new ControlFrame.Published(1L << 40),
                new ControlFrame.PublishRefused(9, 2, 10, "no handle"),
                new ControlFrame.Names(17, List.of("a", "b", "ü")),
                new ControlFrame.Blocked(1, "topic 'x'"),
                new ControlFrame.Heartbeat(),
                new ControlFrame.Goodbye(ErrorCode.NONE.number(), ""),
                new BeginSession(5, 1, true),
                new EndSession(6, 1, DeliveryRanges.of(3, 4, 9)),
                new Consume(
                        7, 2, 1, ConsumerRole.SHARED_DURABLE, SOURCE, "name", true, 100, 1 << 20),
                new EndConsumer(8, 2, DeliveryRanges.NONE),
                new Ask(17, 2),
                new GiveBack(18, 2, DeliveryRanges.of(4, 6)),
                new Reject(1, DeliveryRanges.of(5)),
                new Recall(2),
                new Acknowledge(0, 1, DeliveryRanges.of(1L << 40, 2, 1)),
                new Recover(9, 1, DeliveryRanges.of(7)),
                new Commit(10, 1, "transaction", DeliveryRanges.of(1, 2, 5)),
                new AskCommit(22, "transaction", 1L << 40),
                new DeleteSubscription(11, "name"),
                new CreateTemporary(12, DestinationKind.QUEUE, Protocol.TEMPORARY_PREFIX + "1"),
                new DeleteTemporary(13, DestinationKind.TOPIC, Protocol.TEMPORARY_PREFIX + "2"),
                new BrowseEnd(2),
                new EndBranch(14, BranchEnd.PREPARE, XID, 0, List.of()),
                new EndBranch(15, BranchEnd.COMMIT, XID, 3, List.of()),
                new EndBranch(
                        16,
                        BranchEnd.ROLL_BACK,
                        XID,
                        65_536,
                        List.of(
                                new EndBranch.Part(1, DeliveryRanges.of(1, 2, 9)),
                                new EndBranch.Part(2, DeliveryRanges.NONE))),
                new Decide(17, XID, true),
                new ListPrepared(18, null),
                new ListPrepared(19, XID),
                new Prepared(20, false, List.of()),
                new Prepared(21, true, List.of(XID, new Xid(0, new byte[0], new byte[64]))),
                new Mark(1, Mark.Fate.SEEN, 1L << 40),
                new Mark(2, Mark.Fate.EXPIRED, 7),
                new CancelParts(300),
                new PartsRefused(9, 1L << 40, ErrorCode.LIMIT_EXCEEDED.number(), "too long"),
                new DeliveryCut(2));
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatItWrote(ControlFrame frame) {
        // given
        byte[] fields = fieldsOf(frame);

        // when
        ControlFrame read =
                ControlFrame.decode(frame.type(), new WireReader().wrap(fields, 0, fields.length));

        // then
        assertThat(read).isEqualTo(frame);
    }

    @Test
    void shouldNotLetTheOtherSideWriteToATerminal() {
        String text = "a\u001b[2J\rb\nc";
        for (ControlFrame frame :
                List.of(
                        new ControlFrame.Refused(4, 1, text),
                        new ControlFrame.PublishRefused(9, 2, 1, text),
                        new ControlFrame.Blocked(1, text),
                        new ControlFrame.Goodbye(1, text),
                        new PartsRefused(9, 1, 1, text))) {
            byte[] fields = fieldsOf(frame);

            ControlFrame read =
                    ControlFrame.decode(
                            frame.type(), new WireReader().wrap(fields, 0, fields.length));

            assertThat(read.toString()).contains("a?[2J?b\nc").doesNotContain("\u001b");
        }
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldRefuseEveryPrefixOfItsFields(ControlFrame frame) {
        byte[] fields = fieldsOf(frame);

        for (int length = 0; length < fields.length; length++) {
            WireReader prefix = new WireReader().wrap(fields, 0, length);
            assertThatThrownBy(() -> ControlFrame.decode(frame.type(), prefix))
                    .as("prefix of " + prefix.limit() + " bytes")
                    .isInstanceOf(WireException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldRefuseBytesBehindItsFields(ControlFrame frame) {
        // given
        byte[] fields = fieldsOf(frame);
        byte[] longer = Arrays.copyOf(fields, fields.length + 1);

        // when, then
        assertThatThrownBy(() ->
                        ControlFrame.decode(
                                frame.type(), new WireReader().wrap(longer, 0, longer.length)))
                .isInstanceOf(WireException.class);
    }

    @Test
    void shouldCoverEveryControlFrame() {
        long covered = frames().map(Object::getClass).distinct().count();

        int ofSessions = SessionFrame.class.getPermittedSubclasses().length;
        int ofParts = PartsFrame.class.getPermittedSubclasses().length;
        int others = ControlFrame.class.getPermittedSubclasses().length - 2;
        assertThat(covered).isEqualTo(ofSessions + ofParts + others);
    }

    @Test
    void shouldNotShowTheInstance() {
        assertThat(RETURNING.toString() + RETURNING.resumption())
                .doesNotContain("12345")
                .doesNotContain("67890");
    }

    @Test
    void shouldMakeInstancesThatDiffer() {
        assertThat(ClientInstance.create()).isNotEqualTo(ClientInstance.create());
    }

    @Test
    void shouldRefuseAttemptZero() {
        WireWriter fields = new WireWriter(64);
        new ControlFrame.Hello(
                        Protocol.RESUME, "", "ANONYMOUS", "", 0, "", new Resumption(INSTANCE, 0, 0))
                .writeFields(fields);

        assertThatThrownBy(() -> decode(FrameType.HELLO, fields))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("attempt from 1");
    }

    @Test
    void shouldRefuseToAskForATransactionWithoutAName() {
        WireWriter fields = new WireWriter(16);
        new AskCommit(1, "", 0).writeFields(fields);

        assertThatThrownBy(() -> decode(FrameType.ASK_COMMIT, fields))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("empty");
    }

    @Test
    void shouldRefuseTooLongANameOfATransaction() {
        WireWriter fields = new WireWriter(16);
        new AskCommit(1, "x".repeat(Commit.MAX_NAME + 1), 0).writeFields(fields);

        assertThatThrownBy(() -> decode(FrameType.ASK_COMMIT, fields))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("found 257");
    }

    @Test
    void shouldRefuseAnUnknownType() {
        assertThatThrownBy(() -> ControlFrame.decode(0x3F, new WireReader()))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("0x3f");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                FrameType.PUBLISH,
                FrameType.CONSUMER_CREDIT,
                FrameType.DELIVERY,
                FrameType.SHARED_DELIVERY,
                FrameType.STORED_DELIVERY,
                FrameType.PRODUCER_CREDIT
            })
    void shouldSayThatAFrameOfMessagesIsUnexpected(int type) {
        assertThatThrownBy(() -> ControlFrame.decode(type, new WireReader()))
                .isInstanceOf(WireException.class)
                .extracting(e -> ((WireException) e).code())
                .isEqualTo(ErrorCode.UNEXPECTED_FRAME);
    }

    @Test
    void shouldRefuseANameCountThatTheFrameCannotHold() {
        // given
        WireWriter fields = new WireWriter(16);
        fields.writeVarint(1);
        fields.writeVarint(Integer.MAX_VALUE);

        // when, then
        assertThatThrownBy(() ->
                        ControlFrame.decode(
                                FrameType.NAMES,
                                new WireReader().wrap(fields.array(), 0, fields.size())))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("found 2147483647");
    }

    @Test
    void shouldRefuseMoreSessionsThanTheFrameCanHold() {
        WireWriter fields = new WireWriter(16);
        fields.writeVarint(1);
        fields.writeByte(1);
        XID.write(fields);
        fields.writeVarint(0);
        fields.writeVarint(Integer.MAX_VALUE);

        assertThatThrownBy(() -> decode(FrameType.END_BRANCH, fields))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("found 2147483647");
    }

    @Test
    void shouldRefuseMoreTransactionsThanAFrameMayHave() {
        WireWriter fields = new WireWriter(16);
        fields.writeVarint(1);
        fields.writeByte(0);
        fields.writeVarint(Prepared.MAX_COUNT + 1);

        assertThatThrownBy(() -> decode(FrameType.PREPARED, fields))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("found 101");
    }

    private static void decode(int type, WireWriter fields) {
        ControlFrame.decode(type, new WireReader().wrap(fields.array(), 0, fields.size()));
    }

    private static byte[] fieldsOf(ControlFrame frame) {
        WireWriter writer = new WireWriter(8);
        frame.writeFields(writer);
        return writer.toByteArray();
    }
}
