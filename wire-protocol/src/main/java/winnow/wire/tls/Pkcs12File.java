package winnow.wire.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/// Reads PKCS#12 files.
final class Pkcs12File {
    /// The first byte of DER; PEM is text.
    private static final int DER_SEQUENCE = 0x30;

    private Pkcs12File() {}

    static boolean is(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.read() == DER_SEQUENCE;
        }
    }

    static KeyStore read(Path file, String password) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(
                    new ByteArrayInputStream(PemFile.bytes(file)),
                    password.isEmpty() ? null : password.toCharArray());
            return store;
        } catch (IOException e) {
            throw new IOException(
                    "%s: expected a PKCS#12 file and its password: %s"
                            .formatted(file, e.getMessage()),
                    e);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
