package winnow.loadgen.roundtrip;

import java.util.Locale;

/// Layers that a message passes between producer and reflector. The text form is for people.
public enum Layer {
    /// A TCP connection, without anything above it.
    SOCKET("plain socket", 1),
    /// A TCP connection to a Netty server that sends back what it reads.
    ECHO("Netty echo", 1),
    /// A TCP connection, with each message in a frame of Winnow's protocol, as a client sends it.
    FRAMES("Winnow's frames", 1),
    /// Two topics.
    TOPIC("topic", 2),
    /// Two queues, messages that are not persistent.
    QUEUE("queue in memory", 2),
    /// Two queues, persistent messages: `send` waits for the disk.
    STORED("queue on the disk", 2),
    /// A queue for requests, a temporary queue for replies.
    REQUEST("request and reply", 2);

    private final String text;
    private final int connectionsPassed;

    Layer(String text, int connectionsPassed) {
        this.text = text;
        this.connectionsPassed = connectionsPassed;
    }

    /// True if a broker takes part.
    public boolean needsBroker() {
        return this != SOCKET && this != ECHO && this != FRAMES;
    }

    /// TCP connections that a message passes on its way from producer to reflector.
    int connectionsPassed() {
        return connectionsPassed;
    }

    /// As it is typed.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return text;
    }
}
