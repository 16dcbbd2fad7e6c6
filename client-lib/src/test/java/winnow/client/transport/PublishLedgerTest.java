package winnow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;

class PublishLedgerTest {
    private final PublishLedger confirmations = new PublishLedger();

    private void refuse(long sequence) {
        confirmations.refuse(sequence, new TransportException(LocalFailure.CONNECTION_LOST, "x"));
    }

    private PublishReply add() {
        PublishReply added = new Recorded(new ArrayList<>(), 0);
        confirmations.add(added);
        return added;
    }

    @Test
    void shouldReturnWhatIsConfirmedInOrder() {
        // given
        PublishReply first = add();
        PublishReply second = add();
        PublishReply third = add();

        // when, then
        assertThat(confirmations.takeUpTo(2)).containsExactly(first, second);
        assertThat(confirmations.takeUpTo(2)).isEmpty();
        assertThat(confirmations.takeUpTo(3)).containsExactly(third);
    }

    @Test
    void shouldTellRefusalsInTheirPlace() {
        // given
        List<String> told = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            confirmations.add(new Recorded(told, i));
        }

        // when
        confirmations.refuse(2, new TransportException(ErrorCode.LIMIT_EXCEEDED, "full"));
        confirmations.takeUpTo(3).forEach(PublishReply::onPublished);

        // then
        assertThat(told).containsExactly("1", "2 full", "3");
    }

    @Test
    void shouldReturnTheUnansweredOnesAtTheEnd() {
        // given
        List<String> told = new ArrayList<>();
        confirmations.add(new Recorded(told, 1));
        confirmations.add(new Recorded(told, 2));
        confirmations.refuse(2, new TransportException(ErrorCode.LIMIT_EXCEEDED, "full"));

        // when
        TransportException lost = new TransportException(LocalFailure.CONNECTION_LOST, "lost");
        confirmations.takeAll().forEach(publish -> publish.confirmation().onRefused(lost));

        // then
        assertThat(told).containsExactly("1 lost", "2 full");
        assertThat(confirmations.takeAll()).isEmpty();
    }

    @Test
    void shouldKeepOrderWhenItGrows() {
        // given
        List<String> told = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            confirmations.add(new Recorded(told, i));
        }
        confirmations.takeUpTo(7).forEach(PublishReply::onPublished);

        // when
        for (int i = 11; i <= 100; i++) {
            confirmations.add(new Recorded(told, i));
        }
        confirmations.takeUpTo(100).forEach(PublishReply::onPublished);

        // then
        assertThat(told)
                .isEqualTo(IntStream.rangeClosed(1, 100).mapToObj(Integer::toString).toList());
    }

    @Test
    void shouldRefuseNumbersThatWereNotSent() {
        // given
        add();
        confirmations.takeUpTo(1);
        add();

        // when, then
        assertThatThrownBy(() -> confirmations.takeUpTo(3)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> confirmations.takeUpTo(0)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> refuse(1)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> refuse(3)).isInstanceOf(WireException.class);
    }

    private record Recorded(List<String> told, int number) implements PublishReply {
        @Override
        public boolean isAwaited() {
            return false;
        }

        @Override
        public void onPublished() {
            told.add(number + "");
        }

        @Override
        public void onRefused(TransportException reason) {
            told.add(number + " " + reason.getMessage());
        }
    }
}
