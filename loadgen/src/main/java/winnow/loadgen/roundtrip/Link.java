package winnow.loadgen.roundtrip;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.worker.Provider;

/// Both sides of a layer. Used by the producer's thread.
final class Link implements AutoCloseable {

    private final List<AutoCloseable> opened = new ArrayList<>();
    private @Nullable End near;
    private @Nullable Reflector far;

    private Link() {}

    /// Opens both sides.
    ///
    /// @param provider of the broker; null for a layer that needs none
    /// @param name how the names of destinations begin
    static Link open(
            Layer layer,
            Wires wires,
            SocketSettings settings,
            @Nullable Provider provider,
            String name)
            throws Exception {
        var link = new Link();
        try {
            switch (layer) {
                case SOCKET -> link.openSocket(wires, settings, end -> end);
                case FRAMES -> link.openSocket(wires, settings, FrameEnd::new);
                case ECHO -> link.openEcho(wires, settings);
                case TOPIC, QUEUE, STORED, REQUEST ->
                        link.openBroker(layer, wires, Objects.requireNonNull(provider), name);
            }
            return link;
        } catch (Exception failed) {
            link.close();
            throw failed;
        }
    }

    private void openSocket(Wires wires, SocketSettings settings, Function<SocketEnd, End> above)
            throws IOException {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            if (settings.bufferBytes() > 0) {
                listener.setReceiveBufferSize(settings.bufferBytes());
            }
            listener.setSoTimeout(SocketSettings.PATIENCE_MILLIS);
            var address =
                    wires.to(
                            new InetSocketAddress(
                                    listener.getInetAddress(), listener.getLocalPort()));
            near = keep(above.apply(SocketEnd.connect(address, settings)));
            far = keep(new Reflector(above.apply(SocketEnd.of(listener.accept(), settings))));
        }
    }

    private void openEcho(Wires wires, SocketSettings settings) throws Exception {
        var server = keep(new EchoServer(settings));
        near = keep(SocketEnd.connect(wires.to(server.address()), settings));
    }

    private void openBroker(Layer layer, Wires wires, Provider provider, String name)
            throws Exception {
        far = keep(new Reflector(JmsEnd.far(wires.far(provider).connectMeasured(), layer, name)));
        near = keep(JmsEnd.near(wires.near(provider).connectMeasured(), layer, name));
    }

    private <T extends AutoCloseable> T keep(T one) {
        opened.addFirst(one);
        return one;
    }

    /// Expects so many round trips with messages of a size.
    void expectRoundTrips(int bytes, int trips) throws Exception {
        if (far != null) {
            far.expect(bytes, trips, true);
        }
        Objects.requireNonNull(near).prepare(bytes);
    }

    /// Sends a message and waits for the one that comes back.
    void roundTrip() throws Exception {
        var end = Objects.requireNonNull(near);
        try {
            end.send();
            end.receive();
        } catch (Exception failed) {
            throw explained(failed);
        }
    }

    /// True if the other side can be told to answer the last message alone.
    boolean canStream() {
        return far != null;
    }

    /// Sends so many messages, and waits until the last one is answered.
    void stream(int bytes, int messages) throws Exception {
        var end = Objects.requireNonNull(near);
        Objects.requireNonNull(far).expect(bytes, messages, false);
        end.prepare(bytes);
        try {
            for (var i = 0; i < messages; i++) {
                end.send();
            }
            end.receive();
        } catch (Exception failed) {
            throw explained(failed);
        }
    }

    /// Adds the failure at the other side, which is the reason for the one here.
    private Exception explained(Exception failed) {
        var reason = far == null ? null : far.failure();
        return reason == null || failed instanceof InterruptedException
                ? failed
                : new LoadException("the reflector failed: " + reason.getMessage(), reason);
    }

    @Override
    public void close() {
        for (var one : opened) {
            try {
                one.close();
            } catch (Exception lost) {
                // It is closed in any case, and what failed before is what counts.
            }
        }
        opened.clear();
    }
}
