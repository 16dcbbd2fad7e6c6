package winnow.tests.joram;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.objectweb.jtests.jms.admin.Admin;
import winnow.client.jndi.WinnowInitialContextFactory;
import winnow.tests.RunningBroker;

/// Gives the suite what it asks of a provider: names for factories and destinations. Each test has
/// an object of its own, and destinations that no other test has used; all share one broker.
public final class JoramProvider implements Admin {
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final Map<String, String> names = new HashMap<>();
    private final String suffix = "-" + TESTS.incrementAndGet();

    /// Holds the broker of all tests; it ends with the process.
    private static final class Shared {
        static final RunningBroker BROKER = start();

        private static RunningBroker start() {
            try {
                return new RunningBroker(Map.of());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public JoramProvider() {
        names.put(Context.INITIAL_CONTEXT_FACTORY, WinnowInitialContextFactory.class.getName());
    }

    @Override
    public String getName() {
        return "Winnow";
    }

    @Override
    @SuppressWarnings({"BanJNDI", "JdkObsolete"}) // JNDI demands a Hashtable; no name leads out
    public Context createContext() throws NamingException {
        return new InitialContext(new Hashtable<>(names));
    }

    @Override
    public void createConnectionFactory(String name) {
        names.put("connectionFactory." + name, Shared.BROKER.url());
    }

    @Override
    public void createQueueConnectionFactory(String name) {
        createConnectionFactory(name);
    }

    @Override
    public void createTopicConnectionFactory(String name) {
        createConnectionFactory(name);
    }

    @Override
    public void createQueue(String name) {
        names.put("queue." + name, name + suffix);
    }

    @Override
    public void createTopic(String name) {
        names.put("topic." + name, name + suffix);
    }

    @Override
    public void deleteQueue(String name) {
        names.remove("queue." + name);
    }

    @Override
    public void deleteTopic(String name) {
        names.remove("topic." + name);
    }

    @Override
    public void deleteConnectionFactory(String name) {
        names.remove("connectionFactory." + name);
    }

    @Override
    public void deleteQueueConnectionFactory(String name) {
        deleteConnectionFactory(name);
    }

    @Override
    public void deleteTopicConnectionFactory(String name) {
        deleteConnectionFactory(name);
    }

    @Override
    public void startServer() {}

    @Override
    public void stopServer() {}

    @Override
    public void start() {}

    @Override
    public void stop() {}
}
