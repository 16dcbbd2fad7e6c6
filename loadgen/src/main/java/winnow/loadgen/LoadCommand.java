package winnow.loadgen;

import picocli.CommandLine.Command;

/// Groups what has to do with load.
@Command(
        name = "load",
        description =
                "Measures throughput and CPU time per message, and fits the service-time model.",
        subcommands = {RunCommand.class, FitCommand.class, MixCommand.class, ChartCommand.class})
final class LoadCommand {}
