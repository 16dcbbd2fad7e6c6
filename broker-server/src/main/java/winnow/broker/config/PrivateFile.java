package winnow.broker.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Set;

/// Refuses files with secrets that others can read or change, where files have such permissions.
public final class PrivateFile {
    private static final Set<PosixFilePermission> GROUP_AND_OTHERS =
            PosixFilePermissions.fromString("---rw-rw-");

    private static final Set<PosixFilePermission> OTHERS =
            PosixFilePermissions.fromString("------rw-");

    private PrivateFile() {}

    /// Demands a file that its owner alone can read and write.
    ///
    /// @throws IOException naming the file if not
    public static void requireOwnerOnly(Path file) throws IOException {
        refuse(file, GROUP_AND_OTHERS, "a file for its owner only (chmod 600)");
    }

    /// Demands a file that its owner and its group alone can read and write. Containers are often
    /// given secrets by a group.
    ///
    /// @throws IOException naming the file if not
    public static void requireNotForOthers(Path file) throws IOException {
        refuse(
                file,
                OTHERS,
                "a file with a secret that only its owner and its group can read (chmod 640; as a"
                        + " secret of Kubernetes, defaultMode: 0440)");
    }

    private static void refuse(Path file, Set<PosixFilePermission> refused, String expected)
            throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> found = permissions(file, view);
        if (!Collections.disjoint(found, refused)) {
            throw new IOException(
                    "%s: expected %s, found %s"
                            .formatted(file, expected, PosixFilePermissions.toString(found)));
        }
    }

    private static Set<PosixFilePermission> permissions(Path file, PosixFileAttributeView view)
            throws IOException {
        try {
            return view.readAttributes().permissions();
        } catch (IOException e) {
            throw FileProblem.of(file, e);
        }
    }
}
