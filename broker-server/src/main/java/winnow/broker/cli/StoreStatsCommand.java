package winnow.broker.cli;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import winnow.broker.shard.StoreCheck;
import winnow.broker.shard.StoreReport;
import winnow.store.rocksdb.RocksShardLog;

/// `winnow store stats`: what waits in a store, and how much of the disk it takes.
@Command(
        name = "stats",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Prints what waits in each queue and for each durable subscription, and the sizes of"
                    + " the tables. Bodies of messages are not read."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:printed", "1:in use, or cannot be read", "2:wrong usage"})
final class StoreStatsCommand implements Callable<Integer> {
    @Mixin private StoreAccess access = new StoreAccess();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        StoreContent content = count();
        PrintWriter out = spec.commandLine().getOut();
        if (access.isJson()) {
            SelectorCommand.print(out, content.json());
            return 0;
        }
        content.printTables(out);
        content.printMessages(out);
        if (!content.sound() || content.report().quarantined() > 0) {
            content.printDamage(out);
        }
        out.flush();
        return 0;
    }

    private StoreContent count() {
        try (RocksShardLog log = StoreAccess.open(access.store())) {
            StoreReport report = StoreCheck.count(log, StoreProgress.of(spec)::onRows);
            return new StoreContent(access.store(), log.fileBytes(), report, Optional.empty());
        }
    }
}
