package winnow.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.client.TestMessages;
import winnow.client.destination.WinnowTopic;
import winnow.client.error.JmsErrors;
import winnow.client.message.WinnowMessage;

class CallbackThreadsTest {
    private static final InheritableThreadLocal<Object> INHERITED = new InheritableThreadLocal<>();

    private final BlockingQueue<Runnable> later = new LinkedBlockingQueue<>();
    private ScriptedBroker broker;
    private Connection connection;
    private WinnowSession session;
    private Topic topic;
    private volatile boolean exhausted;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        connection = broker.factory().createConnection();
        session = (WinnowSession) connection.createSession();
        topic = session.createTopic("prices");
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    /// Threads that do not start while the process is said to be exhausted.
    private CallbackThreads threads() {
        ThreadFactory factory =
                work -> {
                    if (exhausted) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return new Thread(work);
                };
        return CallbackThreads.own(later::add, factory);
    }

    private void runLater() throws InterruptedException {
        Runnable again = later.poll(10, TimeUnit.SECONDS);
        assertThat(again).isNotNull();
        again.run();
    }

    private static <T> T inBackground(JmsErrors.Call<T> call)
            throws InterruptedException, ExecutionException {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread =
                new Thread(() -> {
                    try {
                        result.complete(call.run());
                    } catch (JMSException | RuntimeException e) {
                        result.completeExceptionally(e);
                    }
                });
        thread.setDaemon(true);
        thread.start();
        try {
            return result.get(10, TimeUnit.SECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private ListenerDispatch dispatchTo(Consumer<Message> listener) throws Exception {
        WinnowConsumer consumer = (WinnowConsumer) session.createConsumer(topic);
        consumer.setMessageListener(listener::accept);
        return new ListenerDispatch(
                List.of(consumer), session.connection().link(), threads(), null);
    }

    @Test
    void shouldCloseADispatchWhoseThreadDoesNotStart() throws Exception {
        // given
        exhausted = true;
        ListenerDispatch dispatch = dispatchTo(message -> {});
        dispatch.start();

        // when, then
        assertThat(
                        inBackground(() -> {
                            dispatch.close();
                            return true;
                        }))
                .isTrue();
    }

    @Test
    void shouldDispatchWhenThereIsAThreadAgain() throws Exception {
        // given
        BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
        exhausted = true;
        ListenerDispatch dispatch = dispatchTo(heard::add);
        broker.deliver(1, TestMessages.text("hello"));
        session.createConsumer(topic).close();
        dispatch.start();

        // when
        exhausted = false;
        runLater();

        // then
        assertThat(heard.poll(10, TimeUnit.SECONDS)).isNotNull();
        dispatch.close();
    }

    private AsyncSend answered(Completions completions, Runnable onCompletion) throws Exception {
        CompletionListener listener =
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        onCompletion.run();
                    }

                    @Override
                    public void onException(Message message, Exception exception) {}
                };
        WinnowMessage message = (WinnowMessage) session.createMessage();
        AsyncSend send =
                new AsyncSend(
                        session.newProducer(topic),
                        new AsyncSend.Given(message, listener),
                        message,
                        (WinnowTopic) topic,
                        completions,
                        1);
        completions.onSend(send);
        completions.onAnswer(send, null);
        return send;
    }

    @Test
    void shouldCallCompletionsBackInTheClosingThreadIfNoOtherStarts() throws Exception {
        // given
        exhausted = true;
        Completions completions = new Completions(threads(), null);
        CompletableFuture<Thread> called = new CompletableFuture<>();
        answered(completions, () -> called.complete(Thread.currentThread()));

        // when
        Thread closing =
                inBackground(() -> {
                    completions.await(send -> true, 10_000);
                    return Thread.currentThread();
                });

        // then
        assertThat(called).isCompletedWithValue(closing);
    }

    @Test
    void shouldCallCompletionsBackWhenThereIsAThreadAgain() throws Exception {
        // given
        exhausted = true;
        Completions completions = new Completions(threads(), null);
        CompletableFuture<Boolean> called = new CompletableFuture<>();
        answered(completions, () -> called.complete(true));

        // when
        exhausted = false;
        runLater();

        // then
        assertThat(called.get(10, TimeUnit.SECONDS)).isTrue();
    }

    private static ClassLoader newLoader() {
        return new URLClassLoader(new URL[0], CallbackThreadsTest.class.getClassLoader());
    }

    private static <T> T with(ClassLoader loader, JmsErrors.Call<T> call) throws JMSException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return call.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static ClassLoader current() {
        return Thread.currentThread().getContextClassLoader();
    }

    private static ClassLoader awaited(CompletableFuture<ClassLoader> loader) throws Exception {
        return loader.get(10, TimeUnit.SECONDS);
    }

    private ClassLoader heardIn(Session own) throws Exception {
        CompletableFuture<ClassLoader> heard = new CompletableFuture<>();
        own.createConsumer(topic).setMessageListener(message -> heard.complete(current()));
        broker.deliver(1, TestMessages.text("hello"));
        ClassLoader found = awaited(heard);
        own.close();
        return found;
    }

    @Test
    void shouldListenWithTheLoaderOfTheThreadThatMadeTheSession() throws Exception {
        // given
        ClassLoader one = newLoader();
        ClassLoader other = newLoader();
        connection.start();

        // when, then
        assertThat(heardIn(with(one, connection::createSession))).isSameAs(one);
        assertThat(heardIn(with(other, connection::createSession))).isSameAs(other);
    }

    @Test
    void shouldCompleteWithTheLoaderOfTheThreadThatMadeTheSession() throws Exception {
        // given
        ClassLoader loader = newLoader();
        CompletableFuture<ClassLoader> completed = new CompletableFuture<>();
        broker.relay();
        Session own = with(loader, connection::createSession);
        MessageProducer producer = own.createProducer(topic);

        // when
        producer.send(
                own.createMessage(),
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        completed.complete(current());
                    }

                    @Override
                    public void onException(Message message, Exception exception) {
                        completed.completeExceptionally(exception);
                    }
                });

        // then
        assertThat(awaited(completed)).isSameAs(loader);
    }

    @Test
    void shouldTellTheLossWithTheLoaderOfTheThreadThatConnected() throws Exception {
        // given
        ClassLoader loader = newLoader();
        CompletableFuture<ClassLoader> lost = new CompletableFuture<>();
        Connection own = with(loader, () -> broker.factory().createConnection());
        own.setExceptionListener(exception -> lost.complete(current()));

        // when
        broker.cut();

        // then
        assertThat(awaited(lost)).isSameAs(loader);
        own.close();
    }

    private WeakReference<ClassLoader> listenAndClose() throws Exception {
        ClassLoader loader = newLoader();
        INHERITED.set(loader);
        try {
            Connection own = with(loader, () -> broker.factory().createConnection());
            own.start();
            assertThat(heardIn(with(loader, own::createSession))).isSameAs(loader);
            own.close();
        } finally {
            INHERITED.remove();
        }
        return new WeakReference<>(loader);
    }

    @Test
    void shouldKeepNothingOfAnApplicationThatHasClosedItsConnection() throws Exception {
        // given
        WeakReference<ClassLoader> loader = listenAndClose();

        // when, then
        Awaiting.until(() -> {
            System.gc();
            return loader.refersTo(null);
        });
    }

    private static Thread callbackOf(CallbackThreads threads) {
        CompletableFuture<Thread> called = new CompletableFuture<>();
        assertThat(threads.run(() -> called.complete(Thread.currentThread()), () -> {})).isTrue();
        return called.orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void shouldShareThreadsWithinAnApplicationOnly() {
        // given
        ClassLoader loader = newLoader();
        CallbackThreads one = CallbackThreads.of(loader, later::add);
        CallbackThreads same = CallbackThreads.of(loader, later::add);
        CallbackThreads other = CallbackThreads.of(newLoader(), later::add);
        Set<Thread> ofOne = new HashSet<>();

        // when, then
        Awaiting.until(() -> {
            ofOne.add(callbackOf(one));
            return ofOne.contains(callbackOf(same));
        });
        assertThat(ofOne).doesNotContain(callbackOf(other));
        one.close();
        same.close();
        other.close();
    }

    private static void assertEnds(Thread thread) throws InterruptedException {
        thread.join(10_000);
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void shouldEndThreadsWithTheLastConnectionOfAnApplication() throws Exception {
        // given
        ClassLoader loader = newLoader();
        CallbackThreads first = CallbackThreads.of(loader, later::add);
        CallbackThreads last = CallbackThreads.of(loader, later::add);

        // when
        first.close();
        first.close();

        // then
        assertThat(first.run(() -> {}, () -> {})).isFalse();
        Thread thread = callbackOf(last);
        last.close();
        assertEnds(thread);
        assertThat(later).isEmpty();
    }

    @Test
    void shouldEndThreadsThoughAConnectionCouldNotBeMade() throws Exception {
        // given
        ClassLoader loader = newLoader();
        CallbackThreads threads = CallbackThreads.of(loader, later::add);
        ScriptedBroker gone = new ScriptedBroker();
        ConnectionFactory factory = gone.factory("startupMaxReconnectAttempts=0");
        gone.close();
        assertThatThrownBy(() -> with(loader, factory::createConnection))
                .isInstanceOf(JMSException.class);
        Thread thread = callbackOf(threads);

        // when
        threads.close();

        // then
        assertEnds(thread);
    }
}
