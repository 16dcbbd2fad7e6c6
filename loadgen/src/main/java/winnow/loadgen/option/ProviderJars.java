package winnow.loadgen.option;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The classes of a provider that is not Winnow's own, from a directory of jars.
public final class ProviderJars {

    private ProviderJars() {}

    /// Keeps Winnow's client and its libraries away from providers that bring others.
    ///
    /// @throws IllegalArgumentException if there is no such directory
    public static ClassLoader loader(Path directory) {
        List<URL> jars = new ArrayList<>();
        try (var files = Files.newDirectoryStream(directory, "*.{jar,JAR}")) {
            for (var file : files) {
                jars.add(file.toUri().toURL());
            }
        } catch (IOException failed) {
            throw new IllegalArgumentException(
                    "--classpath: expected a directory of jars, found '" + directory + "'", failed);
        }
        return new URLClassLoader(jars.toArray(URL[]::new), new ApiLoader());
    }

    /// Finds the classes of the Java platform and those of Jakarta Messaging.
    private static final class ApiLoader extends ClassLoader {

        private ApiLoader() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("jakarta.jms.")) {
                return ProviderJars.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }
}
