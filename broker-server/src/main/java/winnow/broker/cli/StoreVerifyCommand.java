package winnow.broker.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `winnow store verify`: reads every row and compares checksums.
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Reads the whole store, and compares the checksums of files and of messages.",
            "It is opened as a broker opens it: what a crash has left at its end is cut off."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:sound", "1:damaged, in use, or cannot be read", "2:wrong usage"})
final class StoreVerifyCommand implements Callable<Integer> {
    @Mixin private StoreAccess access = new StoreAccess();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        StoreContent content = StoreAccess.verify(access.store(), StoreProgress.of(spec));
        PrintWriter out = spec.commandLine().getOut();
        if (access.isJson()) {
            SelectorCommand.print(out, content.verifiedJson());
        } else {
            content.printTables(out);
            content.printDamage(out);
            out.flush();
        }
        return content.sound() ? 0 : 1;
    }
}
