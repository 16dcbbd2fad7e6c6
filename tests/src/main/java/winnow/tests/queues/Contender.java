package winnow.tests.queues;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// A broker that can be measured. Immutable.
///
/// @param name as in the results
/// @param factoryClass its `ConnectionFactory`, with a constructor that takes the URL
/// @param urlForm with `%s` for host and port
/// @param classes of its client
/// @param command that starts it, to which the directory of its files is appended
record Contender(
        String name,
        String factoryClass,
        String urlForm,
        ClassLoader classes,
        List<String> command) {

    /// Names of all.
    static final List<String> NAMES = List.of("winnow", "artemis", "classic");

    /// @throws IllegalArgumentException if the name is none
    /// @throws IOException if the jars of a peer are not there
    static Contender of(String name, Path home) throws IOException {
        return switch (name) {
            case "winnow" ->
                    new Contender(
                            name,
                            "winnow.client.WinnowConnectionFactory",
                            "winnow://%s?closeTimeout=3000",
                            Contender.class.getClassLoader(),
                            List.of(
                                    home.resolve("winnow").toString(),
                                    "broker",
                                    "--port=0",
                                    "--http-port=0",
                                    "--set=destination.slow-consumers=*=block",
                                    "--data"));
            case "artemis" ->
                    peer(
                            name,
                            "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory",
                            "winnow.tests.peers.ArtemisBroker",
                            home);
            case "classic" ->
                    peer(
                            name,
                            "org.apache.activemq.ActiveMQConnectionFactory",
                            "winnow.tests.peers.ClassicBroker",
                            home);
            default ->
                    throw new IllegalArgumentException(
                            "expected a broker of " + NAMES + ", found " + name);
        };
    }

    private static Contender peer(String name, String factory, String main, Path home)
            throws IOException {
        Path built = home.resolve("tests/peers").resolve(name).resolve("target");
        return new Contender(
                name,
                factory,
                "tcp://%s",
                new ClientClasses(built.resolve("lib")),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms1g",
                        "-Xmx2g",
                        "-XX:+UseParallelGC",
                        "-cp",
                        built.resolve(name + ".jar") + File.pathSeparator + built + "/lib/*",
                        main,
                        "0"));
    }
}
