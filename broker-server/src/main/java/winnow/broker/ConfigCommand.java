package winnow.broker;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.broker.cli.CommandVersion;
import winnow.broker.config.ConfigReader;
import winnow.broker.config.SettingInfo;
import winnow.broker.config.SettingSources;
import winnow.cli.Commands;

/// `winnow config`: shows the settings of a broker, or checks them and the files that they name,
/// without a broker.
@Command(
        name = "winnow config",
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        description = {
            "Shows the settings that a broker would have, or checks whether it could start.",
            "",
            "Sources, the later over the earlier: defaults, the YAML file, environment",
            "variables such as WINNOW_SUBSCRIPTION_BUFFER (or WINNOW_SUBSCRIPTION_BUFFER_FILE",
            "for a file that holds the value), --set, other options."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all is well",
            "2:wrong option or setting, or a file that it names cannot be used"
        })
public final class ConfigCommand implements Callable<Integer> {
    private static final int WIDTH = 96;

    private final Map<String, String> environment;

    @Spec private CommandSpec spec = CommandSpec.create();

    private ConfigCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(System.getenv()), args));
    }

    static CommandLine commandLine(Map<String, String> environment) {
        return Commands.line(new ConfigCommand(environment));
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "expected 'show' or 'check'");
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Prints every setting: meaning, unit, default, value in force, source.")
    int show(
            @Mixin SettingOptions options,
            @Option(
                            names = "--output",
                            paramLabel = "FORMAT",
                            description = "text (default) or json",
                            defaultValue = "text")
                    Output output)
            throws IOException {
        SettingSources sources = options.sources(environment);
        BrokerConfig config = sources.read(BrokerConfig.class);
        List<Shown> shown =
                ConfigReader.describe(BrokerConfig.DEFAULTS, config).stream()
                        .map(info -> new Shown(info, sources.source(info.key())))
                        .toList();
        PrintWriter out = spec.commandLine().getOut();
        if (output == Output.JSON) {
            out.println(JsonMapper.builder().build().writeValueAsString(shown));
        } else {
            shown.forEach(one -> print(one, out));
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    enum Output {
        TEXT,
        JSON
    }

    /// A setting and where its value is from, as JSON says it.
    record Shown(
            String key,
            String value,
            String source,
            String defaultValue,
            String unit,
            String range,
            String meaning,
            String variable,
            boolean reloadable) {
        Shown(SettingInfo info, String source) {
            this(
                    info.key(),
                    info.effective(),
                    source,
                    ofDefault(info),
                    info.unit(),
                    info.range(),
                    info.meaning(),
                    info.variable(),
                    info.reloadable());
        }

        private static String ofDefault(SettingInfo info) {
            if (info.zero().isEmpty()) {
                return info.defaultValue();
            }
            return info.defaultIsZero()
                    ? info.defaultValue() + " (" + info.zero() + ")"
                    : info.defaultValue() + " (0: " + info.zero() + ")";
        }
    }

    private static void print(Shown one, PrintWriter out) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("source", one.source());
        facts.put("default", one.defaultValue().isEmpty() ? "empty" : one.defaultValue());
        facts.put("unit", one.unit());
        facts.put("range", one.range());
        out.println(one.key() + " = " + one.value());
        wrap(one.meaning(), out);
        facts.forEach((name, value) -> {
            if (!value.isEmpty()) {
                out.println("    " + name + ": " + value);
            }
        });
        out.println("    change: " + (one.reloadable() ? "at run time" : "needs a restart"));
        out.println();
    }

    private static void wrap(String text, PrintWriter out) {
        StringBuilder line = new StringBuilder("   ");
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                out.println(line);
                line = new StringBuilder("   ");
            }
            line.append(' ').append(word);
        }
        out.println(line);
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Says everything for which a broker with these settings would not start: wrong"
                        + " settings, and files and directories that they name. It opens them, so"
                        + " run it as the broker's user; a broker may run on them meanwhile.",
                ""
            })
    int check(
            @Parameters(
                            paramLabel = "FILE",
                            arity = "0..1",
                            description = "YAML file of settings, as --config")
                    @Nullable Path file,
            @Mixin SettingOptions options) {
        if (file != null) {
            options.file(file);
        }
        List<String> problems = StartCheck.problems(options.sources(environment));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                (file == null ? "" : file + ": ")
                        + "all settings are right, and what they name can be used");
        out.flush();
        return CommandLine.ExitCode.OK;
    }
}
