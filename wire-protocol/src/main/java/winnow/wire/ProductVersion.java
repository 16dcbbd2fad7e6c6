package winnow.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Winnow's version as client and broker show it, such as `0.1.0` or `0.1.0-SNAPSHOT`. The build
/// writes it into `version.txt`.
public final class ProductVersion {
    private static final String TEXT = read();

    private ProductVersion() {}

    /// The whole version.
    public static String text() {
        return TEXT;
    }

    /// The first number of the version.
    public static int major() {
        return number(0);
    }

    /// The second number of the version.
    public static int minor() {
        return number(1);
    }

    private static int number(int index) {
        return Integer.parseInt(TEXT.split("[.-]", -1)[index]);
    }

    private static String read() {
        try (InputStream in = ProductVersion.class.getResourceAsStream("version.txt")) {
            if (in == null) {
                throw new IllegalStateException(
                        "expected winnow/wire/version.txt beside ProductVersion, found none");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
