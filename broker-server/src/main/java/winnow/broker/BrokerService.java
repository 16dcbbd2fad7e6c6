package winnow.broker;

import java.io.IOException;
import java.net.InetSocketAddress;

/// A broker that serves two ports, alone or as a node of a cluster.
interface BrokerService extends AutoCloseable {
    /// Address of the port for clients.
    InetSocketAddress address();

    /// Address of the HTTP port.
    InetSocketAddress httpAddress();

    /// Reads settings and users again, and puts into force what can change at run time.
    ///
    /// @throws IllegalArgumentException saying what is wrong with the settings
    /// @throws IOException if a file cannot be read
    void reload() throws IOException;

    /// Stops in order. The second call does nothing.
    @Override
    void close();
}
