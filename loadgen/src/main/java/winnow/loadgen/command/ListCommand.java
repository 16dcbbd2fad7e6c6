package winnow.loadgen.command;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Scenario;
import winnow.loadgen.workload.Scenarios;

/// `winnow load list`: all scenarios.
@Command(
        name = "list",
        description =
                "Lists all scenarios with the section and the figure of the FioranoMQ paper that"
                        + " they repeat, the number of their points, and the longest time that"
                        + " these take: repetitions, a bare socket, disturbed points measured again"
                        + " and the first warm-up included.")
final class ListCommand implements Callable<Integer> {

    private static final String ROW = "%-16s %-8s %-6s %6s %8s %6s %8s  %s%n";

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var out = Objects.requireNonNull(spec).commandLine().getOut();
        out.printf(ROW, "", "", "", "quick", "", "full", "", "");
        out.printf(ROW, "scenario", "section", "figure", "points", "time", "points", "time", "");
        for (var scenario : Scenarios.all()) {
            var number = scenario.figure().number();
            out.printf(
                    ROW,
                    scenario.name(),
                    scenario.section(),
                    number == null ? "-" : number,
                    scenario.points(Extent.QUICK).size(),
                    time(scenario, Extent.QUICK),
                    scenario.points(Extent.FULL).size(),
                    time(scenario, Extent.FULL),
                    scenario.title());
        }
        out.flush();
        return 0;
    }

    private static String time(Scenario scenario, Extent extent) {
        var settings = LoadSettings.defaults(extent, LoadSettings.USUAL_BOUND_PER_SUBSCRIBER);
        var time =
                scenario.estimatedTime(extent, settings)
                        .plus(settings.repeatBudget())
                        .plus(RunCommand.FIRST_WARMUP);
        return "%d:%02d min".formatted(time.toMinutes(), time.toSecondsPart());
    }
}
