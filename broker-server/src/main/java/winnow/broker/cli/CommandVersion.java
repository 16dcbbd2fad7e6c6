package winnow.broker.cli;

import picocli.CommandLine.IVersionProvider;
import winnow.wire.ProductVersion;

/// Output of `--version` of each command.
public final class CommandVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"winnow " + ProductVersion.text()};
    }
}
