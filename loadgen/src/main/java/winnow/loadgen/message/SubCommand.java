package winnow.loadgen.message;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
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
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.option.ShortDuration;
import winnow.loadgen.worker.Failures;

/// `winnow sub`: prints what a topic or a queue delivers.
@Command(
        name = "sub",
        description = "Prints the messages of a topic or a queue, one per line.",
        customSynopsis = {
            "winnow sub TOPIC [OPTION]...",
            "       winnow sub --queue NAME [OPTION]..."
        },
        sortOptions = false,
        footer = {
            "",
            "Says on standard error output when it is subscribed. Ends with 0 after --count"
                    + " messages, or after --timeout without a message; with 1 if --count was not"
                    + " reached by then, if it could not subscribe, or if a message cannot be read;"
                    + " with 2 for wrong usage; with 3 if the broker stopped, ended the connection"
                    + " or cannot be reached any more. Ctrl-C ends it without a word, and so does"
                    + " the end of whoever reads its output.",
            "",
            "A message of a queue or of a durable subscription is gone from the broker when it is"
                    + " printed.",
            "",
            "Examples: winnow sub prices --selector \"region = 'EU'\" --count 10",
            "          winnow sub --queue orders"
        })
public final class SubCommand implements Callable<Integer> {

    /// Exit code if the connection is lost for good: nothing more can be received or acknowledged.
    static final int LOST = 3;

    @Spec private @Nullable CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "TOPIC", description = "What to subscribe to.")
    private @Nullable String topic;

    @Option(names = "--queue", paramLabel = "NAME", description = "Receive from this queue.")
    private @Nullable String queue;

    @Option(
            names = "--durable",
            paramLabel = "NAME",
            description =
                    "Subscribe under this name: the broker keeps what is published while nobody"
                            + " receives. Those who give the same name share the messages. With"
                            + " another topic, --selector or --correlation-id than before the"
                            + " subscription begins anew, and what waits for it is removed"
                            + " without a warning.")
    private @Nullable String durable;

    @Option(
            names = "--unsubscribe",
            description = "End the subscription of --durable, with all that is kept for it.")
    private boolean unsubscribe;

    @Mixin private final ConnectOptions connect = new ConnectOptions();

    @Option(
            names = "--selector",
            paramLabel = "SELECTOR",
            defaultValue = "",
            description = "Message selector.")
    private String selector = "";

    @Option(
            names = "--correlation-id",
            paramLabel = "FILTER",
            description = "Correlation-ID filter: an ID, or a range such as [#7;#13].")
    private @Nullable String correlationId;

    @Option(names = "--count", paramLabel = "N", description = "End after so many messages.")
    private @Nullable Long count;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            description = "End after so long without a message, for example 5s.")
    private @Nullable Duration timeout;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    /// True when somebody ends the process, who need not be told.
    private volatile boolean ending;

    @Override
    public Integer call() throws JMSException, JsonProcessingException {
        if ((count != null && count < 1) || (timeout != null && !timeout.isPositive())) {
            throw misuse("expected --count >= 1 and --timeout > 0");
        }
        var source = source();
        var mode = source.keepsMessages() ? Session.CLIENT_ACKNOWLEDGE : Session.AUTO_ACKNOWLEDGE;
        try (var connection = connect.provider().connect();
                var session = connection.createSession(false, mode)) {
            if (unsubscribe) {
                session.unsubscribe(durable);
                tell("unsubscribed from " + source);
                return 0;
            }
            return receive(connection, source.consumer(session, selector), source);
        }
    }

    private int receive(Connection connection, MessageConsumer consumer, ReceiveSource source)
            throws JMSException, JsonProcessingException {
        closeAtShutdown(connection);
        connection.start();
        tell("receiving from " + source);
        var out = Objects.requireNonNull(spec).commandLine().getOut();
        var printing = new Printing(consumer, source.keepsMessages(), timeout, output, out);
        try {
            var received = printing.run(count == null ? Long.MAX_VALUE : count);
            return ending ? LOST : end(received);
        } catch (Printing.LostException lost) {
            if (!ending) {
                tell("winnow: " + ReceivedText.visible(Failures.describe(lost.reason())));
            }
            return LOST;
        }
    }

    private ReceiveSource source() {
        if (topic == null && queue == null) {
            throw misuse("expected a topic or --queue NAME, found neither");
        }
        if (topic != null && queue != null) {
            throw misuse(
                    "expected a topic or --queue NAME, found both: topic '%s' and --queue '%s'"
                            .formatted(topic, queue));
        }
        if (queue != null) {
            if (durable != null || correlationId != null || unsubscribe) {
                throw misuse("--durable, --unsubscribe and --correlation-id are for topics");
            }
            return new ReceiveSource.OfQueue(queue);
        }
        if (unsubscribe && durable == null) {
            throw misuse("expected --durable NAME with --unsubscribe");
        }
        var live = new ReceiveSource.OfTopic(Objects.requireNonNull(topic), correlationId);
        return durable == null ? live : new ReceiveSource.OfSubscription(live, durable);
    }

    private ParameterException misuse(String text) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), text);
    }

    private String shortfall(long received) {
        var text = "received %,d of %,d messages".formatted(received, count);
        if (timeout == null) {
            return text;
        }
        return text
                + (received == 0 ? " within " : ", then none within ")
                + ShortDuration.text(timeout);
    }

    /// On standard error output, which is not what the messages go to.
    private void tell(String line) {
        var err = Objects.requireNonNull(spec).commandLine().getErr();
        err.println(line);
        err.flush();
    }

    private int end(long received) {
        if (count == null || received >= count) {
            return 0;
        }
        tell(shortfall(received));
        return 1;
    }

    /// At Ctrl-C the broker hears of it at once instead of missing a heartbeat. Java gives the
    /// process its exit code then.
    private void closeAtShutdown(Connection connection) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    ending = true;
                                    try {
                                        connection.close();
                                    } catch (JMSException alreadyGone) {
                                        // So it is closed.
                                    }
                                },
                                "close connection"));
    }
}
