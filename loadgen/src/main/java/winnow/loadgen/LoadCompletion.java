package winnow.loadgen;

import picocli.AutoComplete;
import winnow.loadgen.command.CommandTree;

/// Prints the functions by which a shell completes the commands of the load generator. The launcher
/// makes `winnow completion` of this and of what the broker prints.
final class LoadCompletion {
    /// The function that completes is `_complete_` and this.
    private static final String NAME = "winnow_load";

    private LoadCompletion() {}

    static void main() {
        System.out.print(AutoComplete.bash(NAME, CommandTree.commandLine()));
        System.out.flush();
    }
}
