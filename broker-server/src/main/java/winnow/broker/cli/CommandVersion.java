package winnow.broker.cli;

import picocli.CommandLine.IVersionProvider;
import winnow.wire.ProductVersion;

/// What `--version` of each command prints.
public final class CommandVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"winnow " + ProductVersion.text()};
    }
}
