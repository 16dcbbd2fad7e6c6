package winnow.loadgen;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.loadgen.worker.Failures;

/// `winnow pub`: publishes text messages, one given or one per line of standard input.
@Command(
        name = "pub",
        description = "Publishes text messages to a topic.",
        sortOptions = false,
        footer = {
            "",
            "Property values are typed: 5 is a long, 5.0 a double, true a boolean,",
            "'5' and everything else a string.",
            "",
            "A publish that is held back for longer than a second says for whom it waits.",
            "",
            "Example: winnow pub prices --message 42 --property region=EU --correlation-id '#7'"
        })
final class PubCommand implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "TOPIC", description = "Where to publish.")
    private String topic = "";

    @Mixin private final ConnectOptions connect = new ConnectOptions();

    @Option(
            names = "--message",
            paramLabel = "TEXT",
            description = "The text; without it each line of standard input is a message.")
    private @Nullable String message;

    @Option(
            names = "--property",
            paramLabel = "NAME=VALUE",
            description = "Property of every message; may be given several times.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(
            names = "--correlation-id",
            paramLabel = "ID",
            description = "Correlation ID of every message.")
    private @Nullable String correlationId;

    @Option(names = "--type", paramLabel = "TEXT", description = "JMSType of every message.")
    private @Nullable String type;

    @Option(
            names = "--priority",
            paramLabel = "0-9",
            defaultValue = "4",
            description = "JMSPriority of every message; default: ${DEFAULT-VALUE}.")
    private int priority = Message.DEFAULT_PRIORITY;

    @Option(
            names = "--time-to-live",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            description = "How long a message is of use, for example 30s; default: for ever.")
    private Duration timeToLive = Duration.ZERO;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1",
            description = "How often to publish each text; default: ${DEFAULT-VALUE}.")
    private int count = 1;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Messages per second, 0 for as fast as possible.")
    private double rate;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "${COMPLETION-CANDIDATES}; json prints each message that was published, as sub"
                            + " does; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    @Option(names = "--persistent", description = "Publish with delivery mode PERSISTENT.")
    private boolean persistent;

    @Override
    public Integer call() throws JMSException, IOException {
        var command = Objects.requireNonNull(spec).commandLine();
        if (count < 1 || rate < 0) {
            throw new ParameterException(command, "expected --count >= 1 and --rate >= 0");
        }
        if (priority < 0 || priority > 9) {
            throw new ParameterException(
                    command, "expected a --priority of 0 to 9, found " + priority);
        }
        long published;
        try (var connection = connect.provider().connect();
                var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                var producer = session.createProducer(session.createTopic(topic))) {
            producer.setDeliveryMode(
                    persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            producer.setPriority(priority);
            producer.setTimeToLive(timeToLive.toMillis());
            published = publishAll(session, producer);
        }
        command.getErr().printf("published %,d to %s%n", published, topic);
        command.getErr().flush();
        return 0;
    }

    private long publishAll(Session session, MessageProducer producer)
            throws JMSException, IOException {
        var start = System.nanoTime();
        if (message != null) {
            return publish(session, producer, message, start, 0);
        }
        var published = 0L;
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            published += publish(session, producer, line, start, published);
        }
        return published;
    }

    /// Paced from when each message is due, so that a slow send does not slow the ones after it.
    private long publish(
            Session session, MessageProducer producer, String text, long start, long before)
            throws JMSException, JsonProcessingException {
        for (var i = 0; i < count; i++) {
            if (rate > 0) {
                var due = start + (long) ((before + i) * TimeUnit.SECONDS.toNanos(1) / rate);
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
            }
            var outgoing = session.createTextMessage(text);
            outgoing.setJMSCorrelationID(correlationId);
            outgoing.setJMSType(type);
            setProperties(outgoing);
            producer.send(outgoing);
            if (output == OutputFormat.JSON) {
                Objects.requireNonNull(spec)
                        .commandLine()
                        .getOut()
                        .println(ReceivedText.json(outgoing));
            }
        }
        return count;
    }

    private void setProperties(Message outgoing) {
        for (var property : properties.entrySet()) {
            try {
                outgoing.setObjectProperty(
                        property.getKey(), PropertyValue.parse(property.getValue()));
            } catch (JMSException | IllegalArgumentException unusable) {
                throw new ParameterException(
                        Objects.requireNonNull(spec).commandLine(),
                        "--property: " + Failures.describe(unusable),
                        unusable);
            }
        }
    }
}
