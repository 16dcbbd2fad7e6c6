package winnow.loadgen.run;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.jms.ConnectionFactory;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.NullMarked;
import winnow.loadgen.worker.WorkerMain;

/// The class path of worker processes.
final class WorkerClassPath {

    /// One class out of each jar that a worker needs besides its provider. Naming them keeps
    /// Winnow's client and its Netty away from providers that bring another Netty.
    private static final List<Class<?>> NEEDED =
            List.of(
                    WorkerMain.class,
                    ConnectionFactory.class,
                    ObjectMapper.class,
                    JsonFactory.class,
                    JsonValue.class,
                    Histogram.class,
                    NullMarked.class);

    private WorkerClassPath() {}

    /// This process's own class path: Winnow's client is on it.
    static String forWinnow() {
        return System.getProperty("java.class.path");
    }

    /// The worker's own jars and every jar of a directory.
    ///
    /// @param factoryClass a class in one of these
    static String forProvider(Path directory, String factoryClass) throws LoadException {
        if (!Files.isDirectory(directory)) {
            throw new LoadException("expected a directory of jars, found '" + directory + "'");
        }
        if (!contains(directory, factoryClass)) {
            throw new LoadException(
                    "expected %s in a jar of '%s', found none".formatted(factoryClass, directory));
        }
        Set<String> entries = new LinkedHashSet<>();
        for (var type : NEEDED) {
            entries.add(origin(type));
        }
        entries.add(directory.resolve("*").toString());
        return String.join(File.pathSeparator, entries);
    }

    private static boolean contains(Path directory, String className) throws LoadException {
        var urls = new ArrayList<URL>();
        try (var jars = Files.newDirectoryStream(directory, "*.{jar,JAR}")) {
            for (var jar : jars) {
                urls.add(jar.toUri().toURL());
            }
            try (var loader = new URLClassLoader(urls.toArray(URL[]::new), null)) {
                return loader.findResource(className.replace('.', '/') + ".class") != null;
            }
        } catch (IOException failed) {
            throw new LoadException("cannot read the jars of " + directory, failed);
        }
    }

    private static String origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
