package winnow.loadgen.fake;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.TreeMap;

/// A factory without a constructor for a URL, like that of OpenMQ. Connecting fails with the
/// properties that were set.
public final class PropertyConnectionFactory implements ConnectionFactory {

    private final Map<String, String> properties = new TreeMap<>();

    public void setProperty(String name, String value) {
        properties.put(name, value);
    }

    @Override
    public Connection createConnection() throws JMSException {
        throw new JMSException("connected with " + properties);
    }

    @Override
    public Connection createConnection(String user, String password) throws JMSException {
        return createConnection();
    }

    @Override
    public JMSContext createContext() {
        throw new UnsupportedOperationException();
    }

    @Override
    public JMSContext createContext(String user, String password) {
        return createContext();
    }

    @Override
    public JMSContext createContext(String user, String password, int sessionMode) {
        return createContext();
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return createContext();
    }
}
