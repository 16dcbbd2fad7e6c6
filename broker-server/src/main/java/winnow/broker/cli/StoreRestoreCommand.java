package winnow.broker.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.store.LogException;
import winnow.store.rocksdb.StoreCopy;

/// `winnow store restore`: makes a broker's store from a backup. It gets its name when it has been
/// read and found to be sound.
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Copies SOURCE/store, which 'winnow store backup' or 'winnow backup make' has made, to"
                    + " DIR/store.",
            "A store that is there already is not touched. The copy is read as 'winnow store"
                    + " verify' does, and removed if it is not sound."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:restored",
            "1:there is a store already, or the backup is none, in use or damaged",
            "2:wrong usage"
        })
final class StoreRestoreCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SOURCE", description = "the directory of a backup")
    private Path source = Path.of("");

    @Mixin private StoreAccess access = new StoreAccess();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Path store = access.store();
        if (Files.exists(store)) {
            throw new IOException(
                    store + ": expected no store there, found one. Move it away first");
        }
        Path unfinished = access.data().resolve("store.unfinished");
        StoreCopy.remove(unfinished);
        StoreContent content = copy(unfinished);
        if (content.sound()) {
            StoreCopy.rename(unfinished, store);
        } else {
            StoreCopy.remove(unfinished);
        }
        print(content);
        return content.sound() ? 0 : 1;
    }

    private StoreContent copy(Path unfinished) {
        StoreProgress progress = StoreProgress.of(spec);
        try {
            StoreCopy.copy(StoreAccess.storeIn(source), unfinished, progress::onBytes);
            return StoreAccess.verify(unfinished, progress);
        } catch (LogException e) {
            StoreCopy.remove(unfinished);
            throw e;
        }
    }

    private void print(StoreContent content) {
        PrintWriter out = spec.commandLine().getOut();
        if (access.isJson()) {
            ObjectNode root = content.verifiedJson();
            root.put("store", access.store().toString());
            SelectorCommand.print(out, root.put("source", StoreAccess.storeIn(source).toString()));
            return;
        }
        content.printTables(out);
        content.printDamage(out);
        out.println(
                content.sound()
                        ? "restored " + access.store() + " from " + StoreAccess.storeIn(source)
                        : "not restored: " + StoreAccess.storeIn(source) + " is damaged");
        out.flush();
    }
}
