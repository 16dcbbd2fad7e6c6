package winnow.broker.config;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collections;
import java.util.Set;

/// Refuses files with secrets that others can read or change, where files have such permissions.
public final class PrivateFile {
    private static final Set<PosixFilePermission> GROUP_AND_OTHERS =
            PosixFilePermissions.fromString("---rw-rw-");

    private static final Set<PosixFilePermission> OTHERS =
            PosixFilePermissions.fromString("------rw-");

    private static final Set<PosixFilePermission> CHANGES_BY_OTHERS =
            Set.of(PosixFilePermission.OTHERS_WRITE);

    private static final Path PROCESS = Path.of("/proc/self");

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

    /// Demands a file that only its owner and its group can change or put another one in place of.
    /// One that is not there is judged by its directory. A directory of somebody else, such as the
    /// root of a volume, cannot be closed by the caller and is not refused.
    ///
    /// @return a warning that others can replace the file, empty if they cannot
    /// @throws IOException naming the file or the directory if not
    public static String requireNotReplaceableByOthers(Path file) throws IOException {
        String warning = requireClosedDirectory(file.toAbsolutePath());
        if (Files.exists(file)) {
            Path target = file.toRealPath();
            String ofTarget = requireClosedDirectory(target);
            refuse(
                    target,
                    CHANGES_BY_OTHERS,
                    "a file that only its owner and its group can change (chmod o-w)");
            return warning.isEmpty() ? ofTarget : warning;
        }
        return warning;
    }

    private static String requireClosedDirectory(Path file) throws IOException {
        Path directory = file.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            return "";
        }
        String problem =
                problem(
                        directory,
                        CHANGES_BY_OTHERS,
                        "a directory in which only its owner and its group can make and replace"
                                + " files (chmod o-w, or choose another one)");
        if (!problem.isEmpty() && isCallers(directory)) {
            throw new IOException(problem);
        }
        return problem;
    }

    private static boolean isCallers(Path directory) throws IOException {
        return Files.getOwner(directory).equals(processAccount());
    }

    /// Account of this process, which may have no name in a container.
    public static UserPrincipal processAccount() throws IOException {
        return Files.isDirectory(PROCESS)
                ? Files.getOwner(PROCESS)
                : FileSystems.getDefault()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(System.getProperty("user.name"));
    }

    private static void refuse(Path file, Set<PosixFilePermission> refused, String expected)
            throws IOException {
        String problem = problem(file, refused, expected);
        if (!problem.isEmpty()) {
            throw new IOException(problem);
        }
    }

    /// Text that says which permissions a file should not have, empty if it has none of them.
    private static String problem(Path file, Set<PosixFilePermission> refused, String expected)
            throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return "";
        }
        Set<PosixFilePermission> found = permissions(file, view);
        return Collections.disjoint(found, refused)
                ? ""
                : "%s: expected %s, found %s"
                        .formatted(file, expected, PosixFilePermissions.toString(found));
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
