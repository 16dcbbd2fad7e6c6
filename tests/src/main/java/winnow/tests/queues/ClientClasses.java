package winnow.tests.queues;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The classes of a provider's client, kept apart from those of this program: they have the Jakarta
/// Messaging API in common and nothing else. Thread-safe.
final class ClientClasses extends URLClassLoader {

    /// @param jars a directory
    /// @throws IOException if it cannot be read
    ClientClasses(Path jars) throws IOException {
        super(urls(jars), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] urls(Path jars) throws IOException {
        try (Stream<Path> files = Files.list(jars)) {
            List<URL> urls = files.sorted().map(ClientClasses::url).toList();
            return urls.toArray(new URL[0]);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return name.startsWith("jakarta.jms.")
                ? ClientClasses.class.getClassLoader().loadClass(name)
                : super.loadClass(name, resolve);
    }
}
