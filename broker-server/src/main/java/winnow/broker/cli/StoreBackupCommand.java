package winnow.broker.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.store.rocksdb.StoreCopy;

/// `winnow store backup`: a copy of a store that has been read and found to be sound.
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Copies the store to TARGET/store, then reads the copy as 'winnow store verify' does.",
            "TARGET is like a broker's DIR; the other commands work on it with --data TARGET.",
            "A broker that runs makes backups by 'winnow backup make'."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:copied, and the copy is sound",
            "1:in use, cannot be copied, or damaged; a damaged copy stays for a closer look",
            "2:wrong usage"
        })
final class StoreBackupCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TARGET", description = "a directory; made if it is not there")
    private Path target = Path.of("");

    @Mixin private StoreAccess access = new StoreAccess();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Path copy = StoreAccess.storeIn(target);
        StoreProgress progress = StoreProgress.of(spec);
        StoreCopy.copy(access.store(), copy, progress::onBytes);
        StoreContent content = StoreAccess.verify(copy, progress);
        print(content, copy);
        return content.sound() ? 0 : 1;
    }

    private void print(StoreContent content, Path copy) {
        PrintWriter out = spec.commandLine().getOut();
        if (access.isJson()) {
            ObjectNode root = content.verifiedJson();
            SelectorCommand.print(out, root.put("source", access.store().toString()));
            return;
        }
        content.printTables(out);
        content.printDamage(out);
        out.println("copied " + access.store() + " to " + copy);
        out.flush();
    }
}
