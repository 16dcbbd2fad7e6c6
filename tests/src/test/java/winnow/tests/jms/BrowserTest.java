package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.send;
import static winnow.tests.jms.JmsBroker.texts;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/// Browsers show what waits in a queue and change nothing.
class BrowserTest extends JmsRig {
    private static List<String> shown(QueueBrowser browser) throws JMSException {
        List<String> texts = new ArrayList<>();
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            texts.add(((TextMessage) messages.nextElement()).getText());
        }
        return texts;
    }

    @Test
    void shouldShowWhatWaits() throws Exception {
        // given
        QueueBrowser browser = session.createBrowser(orders());
        List<String> before = shown(browser);
        send(session, session.createProducer(orders()), "a", "b", "c");

        // when
        List<String> first = shown(browser);
        List<String> second = shown(browser);

        // then
        assertThat(before).isEmpty();
        assertThat(first).containsExactly("a", "b", "c");
        assertThat(second).isEqualTo(first);
        assertThat(texts(session.createConsumer(orders()), 3)).containsExactly("a", "b", "c");
        assertThat(shown(browser)).isEmpty();
    }

    @Test
    void shouldShowWhatItSelects() throws Exception {
        // given
        MessageProducer producer = session.createProducer(orders());
        for (int size : new int[] {1, 5, 7}) {
            TextMessage message = session.createTextMessage("size " + size);
            message.setIntProperty("size", size);
            producer.send(message);
        }

        // when
        QueueBrowser browser = session.createBrowser(orders(), "size > 3");

        // then
        assertThat(shown(browser)).containsExactly("size 5", "size 7");
        assertThat(browser.getMessageSelector()).isEqualTo("size > 3");
        assertThat(browser.getQueue()).isEqualTo(orders());
    }

    @Test
    void shouldRefuseWhatCannotBeBrowsedAtOnce() throws Exception {
        assertThatThrownBy(() -> session.createBrowser(orders(), "size >"))
                .isInstanceOf(InvalidSelectorException.class);
        try (JMSContext context = broker.factory("").createContext()) {
            assertThatThrownBy(() -> context.createBrowser(orders(), "size >"))
                    .isInstanceOf(InvalidSelectorRuntimeException.class);
        }
    }

    @Test
    void shouldShowMoreThanAWindow() throws Exception {
        // given
        int count = 200;
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            texts[i] = Integer.toString(i);
        }
        send(session, session.createProducer(orders()), texts);
        Session small = broker.connect("?prefetchMessages=8").createSession();

        // when, then
        assertThat(shown(small.createBrowser(orders()))).containsExactly(texts);
    }

    @SuppressWarnings("JdkObsolete") // The API has enumerations.
    @Test
    void shouldEndWhenItIsClosed() throws Exception {
        // given
        send(session, session.createProducer(orders()), "a", "b");
        QueueBrowser browser = session.createBrowser(orders());
        Enumeration<?> messages = browser.getEnumeration();
        messages.nextElement();

        // when
        browser.close();

        // then
        assertThat(messages.hasMoreElements()).isFalse();
        assertThatThrownBy(messages::nextElement).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldBrowseInATransaction() throws Exception {
        // given
        Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
        send(session, session.createProducer(orders()), "a");

        // when
        List<String> shown = shown(transacted.createBrowser(orders()));
        transacted.rollback();

        // then
        assertThat(shown).containsExactly("a");
        assertThat(texts(session.createConsumer(orders()), 1)).containsExactly("a");
    }

    @Test
    void shouldBrowseByAContext() throws Exception {
        // given
        send(session, session.createProducer(orders()), "a");

        // when, then
        try (JMSContext context = broker.factory("").createContext()) {
            assertThat(shown(context.createBrowser(orders()))).containsExactly("a");
        }
    }
}
