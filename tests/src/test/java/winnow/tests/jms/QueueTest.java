package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.DEADLINE_MILLIS;
import static winnow.tests.jms.JmsBroker.expectNothing;
import static winnow.tests.jms.JmsBroker.receive;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.text;
import static winnow.tests.jms.JmsBroker.textOf;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Queues: each message waits, and goes to one consumer.
class QueueTest extends JmsRig {
    @Test
    void shouldKeepMessagesUntilThereIsAConsumer() throws Exception {
        // given
        send(session, session.createProducer(orders()), "a", "b", "c");

        // when
        MessageConsumer consumer = session.createConsumer(orders());

        // then
        assertThat(texts(consumer, 3)).containsExactly("a", "b", "c");
        expectNothing(consumer);
    }

    @Test
    void shouldBringAMessageToAWaitingConsumer() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(orders());
        Session other = broker.connect().createSession();

        // when
        send(other, other.createProducer(orders()), "a");

        // then
        Message message = receive(consumer);
        assertThat(((TextMessage) message).getText()).isEqualTo("a");
        assertThat(message.getJMSDestination()).isEqualTo(orders());
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void shouldBringEachMessageToOneOfSeveralConsumers() throws Exception {
        // given
        int count = 400;
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        List<BlockingQueue<String>> each = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            BlockingQueue<String> own = new LinkedBlockingQueue<>();
            each.add(own);
            Session one = broker.connect("?queuePrefetchMessages=5").createSession();
            one.createConsumer(orders())
                    .setMessageListener(message -> {
                        String text = textOf(message);
                        own.add(text);
                        received.add(text);
                    });
        }

        // when
        send(session, session.createProducer(orders()), numbers(count));

        // then
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = received.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
            assertThat(text).as("message %d", i).isNotNull();
            all.add(text);
        }
        assertThat(all).containsExactlyInAnyOrder(numbers(count));
        assertThat(received).isEmpty();
        assertThat(each).noneMatch(BlockingQueue::isEmpty);
    }

    @Test
    void shouldKeepTheOrderOfAProducer() throws Exception {
        // given
        int count = 3000;
        MessageConsumer consumer = session.createConsumer(orders());
        Session sending = broker.connect().createSession();
        MessageProducer producer = sending.createProducer(orders());
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

        // when
        send(sending, producer, numbers(count));

        // then
        assertThat(texts(consumer, count)).containsExactly(numbers(count));
    }

    @Test
    void shouldGiveASelectiveConsumerWhatItSelects() throws Exception {
        // given
        MessageProducer producer = session.createProducer(orders());
        for (int size : new int[] {1, 5, 2, 7}) {
            TextMessage message = session.createTextMessage("size " + size);
            message.setIntProperty("size", size);
            producer.send(message);
        }

        // when
        MessageConsumer large = session.createConsumer(orders(), "size > 3");
        List<String> selected = texts(large, 2);
        expectNothing(large);
        large.close();
        MessageConsumer rest = session.createConsumer(orders());

        // then
        assertThat(selected).containsExactly("size 5", "size 7");
        assertThat(texts(rest, 2)).containsExactly("size 1", "size 2");
    }

    @Test
    void shouldRefuseAnUnusableSelector() {
        assertThatThrownBy(() -> session.createConsumer(orders(), "size >"))
                .isInstanceOf(InvalidSelectorException.class);
    }

    @Test
    void shouldReceiveAtOnceWhatIsThere() throws Exception {
        // given
        send(session, session.createProducer(orders()), "a");
        MessageConsumer consumer = session.createConsumer(orders());

        // when
        Message first = consumer.receiveNoWait();
        Message second = consumer.receiveNoWait();

        // then
        assertThat(first).isNotNull();
        assertThat(second).isNull();
    }

    @Test
    void shouldDeliverHigherPrioritiesFirst() throws Exception {
        // given
        MessageProducer producer = session.createProducer(orders());
        for (int priority : new int[] {1, 9, 4, 9, 0}) {
            producer.setPriority(priority);
            send(session, producer, "priority " + priority);
        }

        // when
        MessageConsumer consumer = session.createConsumer(orders());

        // then
        assertThat(texts(consumer, 5))
                .containsExactly(
                        "priority 9", "priority 9", "priority 4", "priority 1", "priority 0");
    }

    @Test
    void shouldNotDeliverWhatHasExpired() throws Exception {
        // given
        MessageProducer producer = session.createProducer(orders());
        producer.setTimeToLive(1);
        send(session, producer, "short");
        producer.setTimeToLive(0);
        send(session, producer, "long");
        long sent = System.currentTimeMillis();
        while (System.currentTimeMillis() < sent + 5) {
            Thread.onSpinWait();
        }

        // when
        MessageConsumer consumer = session.createConsumer(orders());

        // then
        assertThat(text(consumer)).isEqualTo("long");
        expectNothing(consumer);
    }

    @Test
    void shouldHoldBackWhatIsDelayed() throws Exception {
        // given
        MessageConsumer consumer = session.createConsumer(orders());
        MessageProducer producer = session.createProducer(orders());
        producer.setDeliveryDelay(500);
        send(session, producer, "later");
        producer.setDeliveryDelay(0);
        send(session, producer, "now");

        // when
        String first = text(consumer);
        Message delayed = receive(consumer);
        long received = System.currentTimeMillis();

        // then
        assertThat(first).isEqualTo("now");
        assertThat(((TextMessage) delayed).getText()).isEqualTo("later");
        assertThat(delayed.getJMSDeliveryTime())
                .isEqualTo(delayed.getJMSTimestamp() + 500)
                .isLessThanOrEqualTo(received);
    }

    @Test
    void shouldConfirmAsynchronousSends() throws Exception {
        // given
        MessageProducer producer = session.createProducer(orders());
        BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
        CompletionListener listener =
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        outcomes.add(textOf(message));
                    }

                    @Override
                    public void onException(Message message, Exception failure) {
                        outcomes.add(failure.toString());
                    }
                };

        // when
        for (String text : numbers(20)) {
            producer.send(session.createTextMessage(text), listener);
        }
        producer.close();

        // then
        assertThat(outcomes).containsExactly(numbers(20));
        assertThat(texts(session.createConsumer(orders()), 20)).containsExactly(numbers(20));
    }

    @Test
    void shouldDeliverWhatWasSentAheadToAClosedConsumer() throws Exception {
        // given
        send(session, session.createProducer(orders()), "a", "b", "c");
        MessageConsumer first = session.createConsumer(orders());
        assertThat(text(first)).isEqualTo("a");

        // when
        first.close();

        // then
        Message next = receive(session.createConsumer(orders()));
        assertThat(((TextMessage) next).getText()).isEqualTo("b");
        assertThat(next.getJMSRedelivered()).isFalse();
    }

    @Test
    void shouldServeTheInterfacesForQueues() throws Exception {
        // given
        try (QueueConnection queues = broker.factory("").createQueueConnection()) {
            queues.start();
            QueueSession own = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            QueueSender sender = own.createSender(own.createQueue("orders"));
            QueueSender anySender = own.createSender(null);
            QueueReceiver receiver = own.createReceiver(own.createQueue("orders"));

            // when
            sender.send(own.createTextMessage("a"));
            anySender.send(orders(), own.createTextMessage("b"));

            // then
            assertThat(texts(receiver, 2)).containsExactly("a", "b");
            assertThat(sender.getQueue()).isEqualTo(receiver.getQueue()).isEqualTo(orders());
        }
    }

    @Test
    void shouldNotDeliverBeforeTheConnectionIsStarted() throws Exception {
        // given
        send(session, session.createProducer(orders()), "a");
        connection.stop();
        MessageConsumer consumer = session.createConsumer(orders());

        // when
        Message before = consumer.receiveNoWait();
        connection.start();

        // then
        assertThat(before).isNull();
        assertThat(text(consumer)).isEqualTo("a");
    }

    @Test
    void shouldTellQueuesAndTopicsOfOneNameApart() throws Exception {
        // given
        MessageConsumer topic = session.createConsumer(session.createTopic("orders"));
        MessageConsumer queue = session.createConsumer(orders());

        // when
        send(session, session.createProducer(session.createTopic("orders")), "to the topic");
        send(session, session.createProducer(orders()), "to the queue");

        // then
        assertThat(text(topic)).isEqualTo("to the topic");
        assertThat(text(queue)).isEqualTo("to the queue");
        expectNothing(topic);
        expectNothing(queue);
    }

    @Test
    void shouldTakeAMessageThatIsSentAgainOnce() throws Exception {
        // given
        Queue queue = session.createQueue("orders");
        MessageConsumer consumer = session.createConsumer(queue);
        TextMessage first = session.createTextMessage("first");
        first.setStringProperty("JMS_WINNOW_DuplicateId", "order 1");

        // when: by two connections
        session.createProducer(queue).send(first);
        Session other = broker.connect().createSession();
        TextMessage again = other.createTextMessage("again");
        again.setStringProperty("JMS_WINNOW_DuplicateId", "order 1");
        other.createProducer(queue).send(again);
        other.createProducer(queue).send(other.createTextMessage("last"));

        // then
        assertThat(texts(consumer, 2)).containsExactly("first", "last");
    }

    @ParameterizedTest
    @ValueSource(strings = {"prices.*", "*", "prices.#", "prices.>", "a.*.b"})
    void shouldSayThatNamesHaveNoWildcards(String name) throws Exception {
        // when, then
        for (Destination any : List.of(session.createTopic(name), session.createQueue(name))) {
            for (ThrowingCallable use :
                    List.<ThrowingCallable>of(
                            () -> session.createConsumer(any), () -> session.createProducer(any))) {
                assertThatThrownBy(use)
                        .isInstanceOf(InvalidDestinationException.class)
                        .hasMessageContaining("names have no wildcards");
            }
        }
        assertThat(session.createConsumer(session.createTopic("a*b.c#.>d"))).isNotNull();
    }

    @Test
    void shouldKeepQueuesOfTheBrokerToItself() throws Exception {
        Queue own = session.createQueue("winnow.delayed/prices");

        assertThatThrownBy(() -> session.createConsumer(own))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("winnow.delayed/");
        assertThatThrownBy(() -> send(session, session.createProducer(own), "a"))
                .isInstanceOf(InvalidDestinationException.class);
    }
}
