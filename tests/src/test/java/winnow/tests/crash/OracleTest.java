package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The judgement of the oracle about histories with one thing wrong each.
class OracleTest {
    private static final int KIND = 2;
    private static final int CONNECTION = 1;

    private final Oracle oracle = new Oracle(true);

    @Test
    void shouldFindNothingWrongWithWhatIsPromised() {
        // given one that is confirmed, one in doubt that comes, one that does not, one again
        Sent first = send(1, 0);
        oracle.onKept(first);
        send(2, 0);
        send(3, 0);
        Sent dropped = send(4, 7);
        oracle.onDropped(dropped);

        // when
        receive(1, 1);
        receive(2, 1);
        receive(1, 2);
        oracle.onSettled(Outlet.WORK, List.of(new MessageKey(1, 1)));

        // then
        assertThat(oracle.judge()).isEmpty();
    }

    @Test
    void shouldFindAConfirmedMessageThatIsMissing() {
        oracle.onKept(send(1, 0));
        assertThat(oracle.judge()).containsExactly("WORK 1/1: confirmed and missing");
    }

    @Test
    void shouldFindAMessageThatNobodyHasSent() {
        receive(1, 1);
        assertOnly("was not sent here");
    }

    @Test
    void shouldFindAMessageThatWasSentElsewhere() {
        send(1, 0);
        oracle.onReceived(Outlet.MOVED, arrival(1, 0, 1));
        assertOnly("was not sent here");
    }

    @Test
    void shouldFindAnotherBody() {
        send(1, 0);
        MessageKey key = new MessageKey(1, 1);
        oracle.onReceived(Outlet.WORK, new Arrival(key, 0, KIND, false, 1, false, "id"));
        assertOnly("is not what was sent");
    }

    @Test
    void shouldFindADoubleWithoutAMark() {
        send(1, 0);
        receive(1, 1);
        receive(1, 1);
        assertOnly("comes again without a mark");
    }

    @Test
    void shouldFindAMarkThatTheCountDoesNotHave() {
        send(1, 0);
        MessageKey key = new MessageKey(1, 1);
        oracle.onReceived(Outlet.WORK, new Arrival(key, 0, KIND, true, 1, true, "id"));
        assertOnly("has a mark and a delivery count that differ");
    }

    @Test
    void shouldFindAMarkWhereNothingWasLost() {
        Oracle strict = new Oracle(false);
        strict.onSending(new MessageKey(1, 1), Target.WORK, KIND, true, 0, CONNECTION);
        strict.onReceived(Outlet.WORK, arrival(1, 0, 2));
        assertThat(strict.judge()).singleElement().asString().contains("but nobody has had it");
    }

    @Test
    void shouldFindAnotherOrder() {
        order(1);
        order(2);
        oracle.onReceived(Outlet.ORDERS, arrival(2, 0, 1));
        oracle.onReceived(Outlet.ORDERS, arrival(1, 0, 1));
        assertOnly("comes behind number 2");
    }

    @Test
    void shouldFindWhatComesAfterItsAcknowledgementWasConfirmed() {
        send(1, 0);
        receive(1, 1);
        oracle.onSettled(Outlet.WORK, List.of(new MessageKey(1, 1)));
        receive(1, 2);
        assertOnly("comes again after its acknowledgement was confirmed");
    }

    @Test
    void shouldFindWhatComesAfterItsAcknowledgementThoughNobodyWasKilled() {
        send(1, 0);
        receive(1, 1);
        oracle.onAcknowledged(Outlet.WORK, List.of(new MessageKey(1, 1)));
        receive(1, 2);
        assertOnly("comes again after it was acknowledged, and nobody was killed");
    }

    @Test
    void shouldFindTwoCopies() {
        order(1);
        oracle.onReceived(Outlet.MOVED, arrival(1, 1, 1));
        oracle.onReceived(Outlet.MOVED, arrival(1, 2, 2));
        assertOnly("comes in several copies");
    }

    @Test
    void shouldFindWhatWasRolledBack() {
        oracle.onDropped(send(1, 5));
        receive(1, 1);
        assertOnly("rolled back and received");
    }

    @Test
    void shouldFindACopyThatWasRolledBack() {
        order(1);
        oracle.onDroppedCopy(3);
        oracle.onReceived(Outlet.MOVED, arrival(1, 3, 1));
        assertOnly("a copy was rolled back and received");
    }

    @Test
    void shouldFindHalfATransaction() {
        send(1, 5);
        send(2, 5);
        receive(1, 1);
        assertThat(oracle.judge()).singleElement().asString().contains("others of its transaction");
    }

    private Sent send(long number, long transaction) {
        return oracle.onSending(
                new MessageKey(1, number), Target.WORK, KIND, true, transaction, CONNECTION);
    }

    private void order(long number) {
        oracle.onSending(new MessageKey(1, number), Target.ORDERS, KIND, true, 0, CONNECTION);
    }

    private void receive(long number, int count) {
        oracle.onReceived(Outlet.WORK, arrival(number, 0, count));
    }

    private static Arrival arrival(long number, long copy, int count) {
        return new Arrival(new MessageKey(1, number), copy, KIND, count > 1, count, true, "id");
    }

    private void assertOnly(String what) {
        assertThat(oracle.judge()).singleElement().asString().contains(what);
    }
}
