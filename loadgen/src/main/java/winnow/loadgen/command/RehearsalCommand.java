package winnow.loadgen.command;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import winnow.loadgen.mix.MixRun;
import winnow.loadgen.option.ShortDuration;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.worker.Provider;

/// `rehearsal`: runs a broker under a load of messages and stops it, in the run that makes the
/// start-up archives of both: they keep the classes that were used, and what the virtual machine
/// learned about their methods (JEP 515). For the launcher.
@Command(
        name = "rehearsal",
        hidden = true,
        description = "Runs a broker under load and stops it, for the start-up archives.")
final class RehearsalCommand implements Callable<Integer> {

    private static final double MESSAGES_PER_SECOND = 20_000;

    /// Writing the archive takes some seconds, on a busy machine more.
    private static final Duration STOP = Duration.ofMinutes(2);

    @Option(
            names = "--log",
            paramLabel = "FILE",
            required = true,
            description = "Output of the broker.")
    private Path log = Path.of("");

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "5s",
            description = "Time of the load, once in clear and once by TLS.")
    private Duration duration = Duration.ZERO;

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "What starts the broker.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws IOException, LoadException, JMSException, InterruptedException {
        try (var broker = BrokerProcess.start(command, log)) {
            load("winnow://" + broker.jmsAddress());
            if (!broker.tlsAddress().isEmpty()) {
                load("winnows://" + broker.tlsAddress() + "?trustAll=true");
            }
            shell(broker.jmsAddress());
            return broker.stop(STOP);
        }
    }

    private void load(String url) throws JMSException, InterruptedException, LoadException {
        var provider = new Provider(Provider.WINNOW_FACTORY, url, "", "");
        try (var run = new MixRun(provider, MESSAGES_PER_SECOND)) {
            var _ = run.await(duration);
            if (run.failure().isPresent()) {
                throw new LoadException("the load failed", run.failure().get());
            }
        }
    }

    /// Does the work of `winnow pub` and `winnow sub`.
    private void shell(String address) throws LoadException {
        var url = "winnow://" + address;
        execute("pub", "--url", url, "--queue", "rehearsal", "text", "--property", "region=EU");
        execute(
                "sub",
                "--url",
                url,
                "--queue",
                "rehearsal",
                "--count",
                "1",
                "--selector",
                "region = 'EU'");
    }

    private static void execute(String... arguments) throws LoadException {
        var nowhere = new PrintWriter(Writer.nullWriter());
        var exitCode = CommandTree.commandLine().setOut(nowhere).setErr(nowhere).execute(arguments);
        if (exitCode != 0) {
            throw new LoadException(
                    "%s: expected exit code 0, found %d".formatted(arguments[0], exitCode));
        }
    }
}
