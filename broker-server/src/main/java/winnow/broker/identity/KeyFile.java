package winnow.broker.identity;

import java.io.IOException;
import java.nio.file.Path;
import winnow.broker.config.SmallFile;

/// Keys of an issuer in a file. Immutable.
record KeyFile(Path file) implements KeySource {
    @Override
    public String read() throws IOException {
        return SmallFile.read(file, MAX_BYTES);
    }

    @Override
    public String name() {
        return file.toString();
    }
}
