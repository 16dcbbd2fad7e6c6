package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.wire.ClientInstance;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.frame.AskCommit;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Commit;
import winnow.wire.frame.ControlFrame;

/// Publishes and commits of clients that come back, which were not answered.
class UnansweredTest extends ReturningRig {
    @Test
    void shouldStoreOnceWhatIsSentAgain() throws IOException {
        // given
        startStored();
        TestClient first = connect(1, 0).client();
        first.openOnce(DestinationKind.QUEUE, "q", 1);
        publishAgain(first, 1, 0, "one");
        publishAgain(first, 1, 0, "two");
        awaitPublished(first, 2);
        first.close();

        // when
        TestClient again = connect(2, 3).client();
        again.openOnce(DestinationKind.QUEUE, "q", 1);
        publishAgain(again, 1, 2, "two");
        publishAgain(again, 1, 3, "three");
        publishAgain(again, 1, 0, "four");
        awaitPublished(again, 4);

        // then
        assertThat(drain("q")).containsExactly("one", "two", "three", "four");
    }

    @Test
    void shouldKnowAfterARestartWhatWasStored() throws IOException {
        // given
        startStored();
        Returned first = connect(1, 0);
        first.client().openOnce(DestinationKind.QUEUE, "q", 1);
        publishAgain(first.client(), 1, 0, "one");
        publishAgain(first.client(), 1, 0, "two");
        awaitPublished(first.client(), 2);
        assertThat(drain("q")).containsExactly("one", "two");

        // when
        startStored();
        Returned again = connect(2, 3);
        again.client().openOnce(DestinationKind.QUEUE, "q", 1);
        publishAgain(again.client(), 1, 1, "one");
        publishAgain(again.client(), 1, 2, "two");
        publishAgain(again.client(), 1, 3, "three");
        awaitPublished(again.client(), 3);

        // then
        assertThat(again.welcome().store()).isEqualTo(first.welcome().store());
        assertThat(drain("q")).containsExactly("three");
    }

    @Test
    void shouldTakeWhatWasRefused() throws IOException {
        // given
        TestClient first = connect(1, 0).client();
        first.openOnce(DestinationKind.QUEUE, "q", 1);
        publishAgain(first, 1, 0, "one");
        publishAgain(first, 9, 0, "two");
        publishAgain(first, 1, 0, "three");
        awaitPublished(first, 3);

        // when
        TestClient again = connect(2, 3).client();
        again.openOnce(DestinationKind.QUEUE, "q", 1);
        publishAgain(again, 1, 1, "one");
        publishAgain(again, 1, 2, "two");
        publishAgain(again, 1, 3, "three");
        awaitPublished(again, 3);

        // then
        assertThat(drain("q")).containsExactly("one", "three", "two");
    }

    @Test
    void shouldHandLiveSubscriptionsOnceWhatIsSentAgain() throws IOException {
        // given
        TestClient consumer = client();
        consumer.greet();
        consumer.subscribe(1, "t");
        TestClient first = connect(1, 0).client();
        first.openOnce(DestinationKind.TOPIC, "t", 1);
        publishAgain(first, 1, 0, "one");
        publishAgain(first, 1, 0, "two");
        awaitPublished(first, 2);

        // when
        TestClient again = connect(2, 3).client();
        again.openOnce(DestinationKind.TOPIC, "t", 1);
        publishAgain(again, 1, 1, "one");
        publishAgain(again, 1, 2, "two");
        publishAgain(again, 1, 3, "three");
        awaitPublished(again, 3);

        // then
        for (String body : List.of("one", "two", "three")) {
            assertThat(consumer.expect(TestClient.Delivered.class).body()).isEqualTo(body);
        }
    }

    @Test
    void shouldRefuseNumbersThatNoPublishHad() throws IOException {
        for (long number : new long[] {4, 1}) {
            TestClient again = connect(ClientInstance.create(), "", 2, 3).client();
            again.openOnce(DestinationKind.QUEUE, "q", 1);
            if (number == 1) {
                publishAgain(again, 1, 0, "new");
            }
            publishAgain(again, 1, number, "again");
            assertThat(again.await(ControlFrame.Goodbye.class).code())
                    .isEqualTo(ErrorCode.UNEXPECTED_FRAME.number());
        }
        TestClient old = client();
        old.greet();
        old.openOnce(DestinationKind.QUEUE, "q", 1);
        publishAgain(old, 1, 1, "again");
        assertThat(old.await(ControlFrame.Goodbye.class).code())
                .isEqualTo(ErrorCode.UNEXPECTED_FRAME.number());
    }

    @Test
    void shouldStoreOnceWhatIsSentAgainInParts() throws Exception {
        // given
        startStored();
        TestClient first = connect(1, 0).client();
        first.openOnce(DestinationKind.QUEUE, "q", 1);
        first.awaitProducerCredit(1);
        beginInParts(first, 0);
        publishAgain(first, 1, 0, "small");
        endInParts(first);
        awaitPublished(first, 2);

        // when
        startStored();
        TestClient again = connect(2, 3).client();
        again.openOnce(DestinationKind.QUEUE, "q", 1);
        publishAgain(again, 1, 1, "small");
        beginInParts(again, 2);
        endInParts(again);
        beginInParts(again, 3);
        endInParts(again);
        awaitPublished(again, 3);

        // then
        String queues = BrokerPages.get(broker, "/api/v1/queues").body();
        for (int i = 0; i < 500 && !queues.contains("\"messages\":3,"); i++) {
            Thread.sleep(10);
            queues = BrokerPages.get(broker, "/api/v1/queues").body();
        }
        assertThat(queues).contains("\"messages\":3,");
    }

    @Test
    void shouldTellWhetherATransactionWasCommitted() throws IOException {
        // given
        startStored();
        TestClient first = connect(1, 0).client();
        first.request(id -> new BeginSession(id, 1, true));
        first.sendTransacted(1, DestinationKind.QUEUE, "q", 1, "one");
        first.request(id -> new Commit(id, 1, "tx 1", DeliveryRanges.NONE));
        first.close();

        // then
        for (int attempt = 2; attempt <= 3; attempt++) {
            TestClient again = connect(attempt, 0).client();
            again.request(id -> new AskCommit(id, "tx 1", 1000));
            again.refused(ErrorCode.UNKNOWN_TRANSACTION, id -> new AskCommit(id, "tx 2", 1000));
            startStored();
        }
    }

    @Test
    void shouldTellTheTruthAboutACommitUnderWay() throws IOException {
        for (int i = 1; i <= 20; i++) {
            String name = "tx " + i;
            TestClient first = connect(2 * i, 0).client();
            first.request(id -> new BeginSession(id, 1, true));
            first.openOnce(DestinationKind.QUEUE, "q", 1);
            for (int message = 0; message < 50; message++) {
                first.sendTransacted(1, DestinationKind.QUEUE, "q", 1, "one");
            }
            first.send(new Commit(99, 1, name, DeliveryRanges.NONE));

            TestClient again = connect(2 * i + 1, 0).client();
            again.send(new AskCommit(7, name, 1000));
            ControlFrame answer = again.await(ControlFrame.class);

            boolean committed = answer instanceof ControlFrame.Accepted;
            if (answer instanceof ControlFrame.Refused refused) {
                assertThat(refused.code()).isEqualTo(ErrorCode.UNKNOWN_TRANSACTION.number());
            }
            assertThat(drain("q")).hasSize(committed ? 50 : 0);
        }
    }

    @Test
    void shouldNotLetOtherClientsAsk() throws IOException {
        TestClient old = client();
        old.greet();

        old.send(new AskCommit(1, "tx", 0));

        assertThat(old.await(ControlFrame.Goodbye.class).code())
                .isEqualTo(ErrorCode.UNEXPECTED_FRAME.number());
    }
}
