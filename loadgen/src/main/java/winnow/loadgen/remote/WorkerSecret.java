package winnow.loadgen.remote;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.WorkerProcess;

/// Secret of coordinator and workers, which neither ever sends. Immutable.
public final class WorkerSecret {

    /// Environment variable with the secret itself.
    public static final String VARIABLE = WorkerProcess.SECRET_VARIABLE;

    private static final String ALGORITHM = "HmacSHA256";

    /// Enough that nobody finds a random one by trying, with what a listener on the network sees.
    private static final int LEAST_CHARACTERS = 32;

    private static final int MOST_BYTES = 4_096;

    private static final int NEW_BYTES = 32;

    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final SecretKeySpec key;

    private WorkerSecret(byte[] bytes) {
        key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /// A secret as text, without the white space around it.
    ///
    /// @param source its origin, for people
    /// @throws LoadException if it is short
    static WorkerSecret of(String text, String source) throws LoadException {
        var secret = text.strip();
        if (secret.length() < LEAST_CHARACTERS) {
            throw new LoadException(
                    "%s: expected a secret of at least %d characters, found %d: '%s' makes one"
                            .formatted(
                                    source,
                                    LEAST_CHARACTERS,
                                    secret.length(),
                                    "winnow load worker --new-secret FILE"));
        }
        return new WorkerSecret(secret.getBytes(StandardCharsets.UTF_8));
    }

    /// The secret of a file or, without one, of the environment.
    ///
    /// @throws LoadException if there is none, or others may read the file
    public static WorkerSecret of(@Nullable Path file, Map<String, String> environment)
            throws LoadException {
        if (file != null) {
            return read(file);
        }
        var text = environment.get(VARIABLE);
        if (text == null) {
            throw new LoadException(
                    "expected the secret of the workers in --secret-file or $"
                            + VARIABLE
                            + ", found neither: 'winnow load worker --new-secret FILE' makes one");
        }
        return of(text, "$" + VARIABLE);
    }

    private static WorkerSecret read(Path file) throws LoadException {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new LoadException(
                        "'%s': expected a secret, found more than %,d bytes"
                                .formatted(file, MOST_BYTES));
            }
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                var others = EnumSet.copyOf(PosixFilePermissions.fromString("---rwxrwx"));
                others.retainAll(Files.getPosixFilePermissions(file));
                if (!others.isEmpty()) {
                    throw new LoadException(
                            "'%s': expected a secret that only its owner may read, found %s: 'chmod"
                                            .formatted(
                                                    file,
                                                    PosixFilePermissions.toString(
                                                            Files.getPosixFilePermissions(file)))
                                    + " 600' makes it one");
                }
            }
            checkOwner(file);
            return of(Files.readString(file), "'" + file + "'");
        } catch (NoSuchFileException missing) {
            throw new LoadException(
                    "expected a secret in '%s', found no such file".formatted(file), missing);
        } catch (IOException unreadable) {
            throw new LoadException(
                    "cannot read the secret in '%s': %s".formatted(file, unreadable.getMessage()),
                    unreadable);
        }
    }

    private static void checkOwner(Path file) throws IOException, LoadException {
        // The kernel knows the user of a process, whether the user has a name or not.
        var process = Path.of("/proc/self");
        if (!Files.exists(process)
                || !file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return;
        }
        checkOwner(
                file,
                Files.getAttribute(file, "unix:uid"),
                Files.getAttribute(process, "unix:uid"));
    }

    /// Refuses a file whose owner, neither root nor this user, may have chosen the secret.
    static void checkOwner(Path file, Object owner, Object user) throws LoadException {
        if (!owner.equals(user) && !owner.equals(0)) {
            throw new LoadException(
                    "'%s': expected a secret of the user %s or of root, found one of the user %s:"
                                    .formatted(file, user, owner)
                            + " 'chown' makes it one");
        }
    }

    /// Writes a new random secret to a new file that only its owner may read.
    ///
    /// @throws LoadException if there is such a file
    public static void write(Path file) throws LoadException {
        var bytes = new byte[NEW_BYTES];
        new SecureRandom().nextBytes(bytes);
        var text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "\n";
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        var posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        try (var channel =
                posix
                        ? Files.newByteChannel(
                                file, options, PosixFilePermissions.asFileAttribute(OWNER))
                        : Files.newByteChannel(file, options)) {
            channel.write(StandardCharsets.US_ASCII.encode(text));
        } catch (FileAlreadyExistsException _) {
            throw new LoadException(
                    "expected a new file for the secret, found one: '" + file + "'");
        } catch (IOException failed) {
            throw new LoadException(
                    "cannot write the secret to '%s': %s".formatted(file, failed.getMessage()),
                    failed);
        }
    }

    /// The code of some bytes, which only somebody who knows the secret can make.
    byte[] code(byte[]... parts) {
        return code(key, parts);
    }

    /// A key for one direction of one connection.
    Key derive(byte[]... parts) {
        return new Key(new SecretKeySpec(code(parts), ALGORITHM));
    }

    private static byte[] code(SecretKeySpec key, byte[]... parts) {
        var mac = mac(key);
        for (var part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    private static Mac mac(SecretKeySpec key) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return "WorkerSecret";
    }

    /// A key of one direction of a connection. Used by one thread at a time.
    static final class Key {

        private final Mac mac;

        private Key(SecretKeySpec key) {
            mac = mac(key);
        }

        byte[] code(byte[]... parts) {
            for (var part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        }
    }
}
