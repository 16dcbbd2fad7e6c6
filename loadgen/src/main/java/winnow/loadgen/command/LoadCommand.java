package winnow.loadgen.command;

import picocli.CommandLine.Command;

/// Groups what has to do with load.
@Command(
        name = "load",
        description =
                "Measures throughput and CPU time per message, fits the service-time model,"
                        + " forecasts with it, and measures round trips.",
        subcommands = {
            ListCommand.class,
            RunCommand.class,
            CompareCommand.class,
            WorkerCommand.class,
            AgeingCommand.class,
            RateCommand.class,
            KneeCommand.class,
            PeerCommand.class,
            DiffCommand.class,
            FitCommand.class,
            PlanCommand.class,
            PaperCommand.class,
            RoundTripCommand.class,
            MixCommand.class,
            ChartCommand.class
        })
final class LoadCommand {}
