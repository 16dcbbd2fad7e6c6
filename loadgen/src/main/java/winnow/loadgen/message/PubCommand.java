package winnow.loadgen.message;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
import winnow.loadgen.option.ConnectOptions;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.PropertyValue;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.option.ShortDuration;
import winnow.loadgen.worker.Failures;

/// `winnow pub`: publishes text messages, one given, a file, or one per line of standard input.
@Command(
        name = "pub",
        description = "Publishes text messages to a topic or a queue.",
        customSynopsis = {
            "winnow pub TOPIC [TEXT] [OPTION]...",
            "       winnow pub --queue NAME [TEXT] [OPTION]..."
        },
        sortOptions = false,
        footer = {
            "",
            "Property values are typed: 5 is a long, 5.0 a double, true a boolean,",
            "'5' and everything else a string.",
            "",
            "A publish that is held back for longer than a second says for whom it waits.",
            "",
            "Examples: winnow pub prices 42 --property region=EU --correlation-id '#7'",
            "          winnow pub --queue orders 'one pen'",
            "          winnow pub --queue orders --file order.xml"
        })
public final class PubCommand implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;

    @Parameters(
            arity = "0..2",
            paramLabel = "TOPIC TEXT",
            hideParamSyntax = true,
            description =
                    "Where to publish, unless there is --queue, and the text; without a text and"
                            + " --file each line of standard input is a message.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--queue", paramLabel = "NAME", description = "Send to this queue.")
    private @Nullable String queue;

    @Mixin private final ConnectOptions connect = new ConnectOptions();

    @Option(names = "--message", paramLabel = "TEXT", description = "The same as TEXT.")
    private @Nullable String message;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description =
                    "The text is that of this file in UTF-8, all lines in one message; an eighth"
                            + " of the heap at most.")
    private @Nullable Path file;

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

    @Option(
            names = "--persistent",
            negatable = true,
            description =
                    "Publish with delivery mode PERSISTENT, or without it; default: persistent for"
                            + " queues only.")
    private @Nullable Boolean persistent;

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
        var text = text();
        var place = queue != null ? "the queue " + queue : words.getFirst();
        var window = new SendWindow(this::print);
        var done = false;
        try (var connection = connect.provider().connect();
                var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                var producer = session.createProducer(destination(session))) {
            producer.setDeliveryMode(deliveryMode());
            producer.setPriority(priority);
            producer.setTimeToLive(timeToLive.toMillis());
            publishAll(session, producer, window, text);
            window.await();
            done = true;
        } finally {
            if (done || window.published() > 0) {
                command.getErr().printf("published %,d to %s%n", window.published(), place);
                command.getErr().flush();
            }
        }
        return 0;
    }

    /// The text to publish, null for those of standard input.
    private @Nullable String text() {
        var before = queue == null ? 1 : 0;
        if (words.size() < before) {
            throw misuse("expected a topic or --queue NAME, found neither");
        }
        if (message != null && file != null) {
            throw misuse("expected one text, found both --message and --file");
        }
        if (words.size() > before + (message == null && file == null ? 1 : 0)) {
            throw misuse(surplus());
        }
        return words.size() > before ? words.getLast() : message == null ? content() : message;
    }

    /// The text of the file, null if none is named.
    private @Nullable String content() {
        try {
            return file == null ? null : TextFile.read(file);
        } catch (IllegalArgumentException unusable) {
            throw misuse("--file: " + unusable.getMessage());
        }
    }

    private ParameterException misuse(String text) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), text);
    }

    private String surplus() {
        return queue == null
                ? "expected one text, found also '%s'".formatted(words.getLast())
                : "expected one text and no topic with --queue '%s', found also '%s'"
                        .formatted(queue, words.getFirst());
    }

    private Destination destination(Session session) throws JMSException {
        return queue == null ? session.createTopic(words.getFirst()) : session.createQueue(queue);
    }

    private int deliveryMode() {
        var kept = persistent == null ? queue != null : persistent;
        return kept ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
    }

    private void publishAll(
            Session session, MessageProducer producer, SendWindow window, @Nullable String text)
            throws JMSException, IOException {
        var pace = new Pace(rate);
        if (text != null) {
            publish(session, producer, window, pace, text);
            return;
        }
        var lines = new Utf8Lines(System.in);
        for (var line = lines.next(); line != null; line = lines.next()) {
            publish(session, producer, window, pace, line);
        }
    }

    private void publish(
            Session session, MessageProducer producer, SendWindow window, Pace pace, String text)
            throws JMSException {
        for (var i = 0; i < count; i++) {
            pace.await();
            var outgoing = session.createTextMessage(text);
            outgoing.setJMSCorrelationID(correlationId);
            outgoing.setJMSType(type);
            setProperties(outgoing);
            window.send(producer, outgoing, text.length());
        }
    }

    /// Prints a message that was published, if that is asked for.
    private void print(Message published) {
        if (output != OutputFormat.JSON) {
            return;
        }
        try {
            Objects.requireNonNull(spec)
                    .commandLine()
                    .getOut()
                    .println(ReceivedText.json(published));
        } catch (JMSException | JsonProcessingException unprintable) {
            throw new IllegalStateException(unprintable);
        }
    }

    /// The times at which messages are due, so that a slow send does not slow the ones after it.
    private static final class Pace {
        private final double rate;
        private final long start = System.nanoTime();
        private long messages;

        /// @param rate messages per second, 0 for no pace
        Pace(double rate) {
            this.rate = rate;
        }

        /// Waits until the next message is due.
        void await() {
            if (rate > 0) {
                var due = start + (long) (messages * TimeUnit.SECONDS.toNanos(1) / rate);
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                messages++;
            }
        }
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
