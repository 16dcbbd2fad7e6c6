package winnow.wire.tls;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityTest {
    /// Made for this test by `openssl pkcs12 -export -nocerts` with the password `secret`.
    private static final String KEY_ALONE =
            """
            MIIBfgIBAzCCATQGCSqGSIb3DQEHAaCCASUEggEhMIIBHTCCARkGCSqGSIb3DQEHAaCCAQoEggEGMIIB
            AjCB/wYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECM4qtC0q
            NIvyAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQXN7DhTh31wYsV88+6uV/XQSBkFE44xbJ
            vTodkb38D1sZkdVvRtYd8ukq2MLZGStRLPNkTMteOuJJak+h14qQr8sltf4S7VZ7sbLiSqcGgNYNPNOk
            mhAVH56PJnwsCXLqr9YLsWu1bpzbqkPd/5cRzrr3wiCKse+KKlPlT7zXGi3+j/C6cgSD6vF0yTnNAHai
            jVx9Zhrrrjsg1CAhJyJaPz7klzBBMDEwDQYJYIZIAWUDBAIBBQAEIMCvt8xMJsHBZBSO9T3iY63cVHxT
            MG8xVCrjfssuenwjBAjZr+oBz9WrVgICCAA=
            """;

    @TempDir private Path directory = Path.of("");

    @Test
    void shouldRefuseAKeyWithoutItsCertificate() throws IOException {
        // given
        Path file = directory.resolve("key.p12");
        Files.write(file, Base64.getMimeDecoder().decode(KEY_ALONE));

        // then
        assertThatThrownBy(() -> Identity.read(file, file, "secret"))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": expected a private key with its certificate, found none");
    }
}
