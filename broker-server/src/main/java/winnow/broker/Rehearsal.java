package winnow.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import winnow.broker.cli.CommandRehearsal;
import winnow.broker.config.SettingSources;

/// The run that makes the start-up archive: a broker, as [Main] runs it, another one with TLS in
/// the same process, and what the commands ask a broker. Clients put load on both until SIGTERM.
/// The archive keeps the classes that were used, and what the virtual machine learned about their
/// methods (JEP 515).
public final class Rehearsal {
    private static final String PASSWORD = "rehearsal";

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rw-------");

    private Rehearsal() {}

    /// @param args the directory of its files, which it makes
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 1) {
            throw new IllegalArgumentException(
                    "expected a directory, found " + args.length + " arguments");
        }
        Path directory = Files.createDirectory(Path.of(args[0]), OWNER_ALONE);
        SelectorRehearsal.run();
        Broker broker = withTls(directory);
        CommandRehearsal.run(
                "http://127.0.0.1:" + broker.httpAddress().getPort(),
                broker.config().http().socket());
        System.out.println("winnow rehearsal: tls=127.0.0.1:" + broker.address().getPort());
        Main.main(
                new String[] {"--port=0", "--http-port=0", "--data=" + directory.resolve("data")});
    }

    /// Its certificate is made by the JDK's keytool.
    private static Broker withTls(Path directory) throws IOException, InterruptedException {
        Path store = directory.resolve("rehearsal.p12");
        Path password = directory.resolve("password");
        Files.writeString(password, PASSWORD, StandardCharsets.US_ASCII);
        Files.setPosixFilePermissions(password, PRIVATE);
        int exitCode =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "rehearsal",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-dname",
                                "CN=localhost",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                store.toString(),
                                "-storepass:file",
                                password.toString())
                        .inheritIO()
                        .start()
                        .waitFor();
        if (exitCode != 0) {
            throw new IOException("keytool: expected exit code 0, found " + exitCode);
        }
        Files.setPosixFilePermissions(store, PRIVATE);
        SettingSources sources = new SettingSources(BrokerConfig.DEFAULTS);
        Map.of(
                        "tls.certificate", store.toString(),
                        "tls.password-file", password.toString(),
                        "tls.http", "false",
                        "http.socket", directory.resolve("admin.sock").toString())
                .forEach((key, value) -> sources.put(key, value, "rehearsal"));
        return new Broker(sources.read(BrokerConfig.class), InetAddress.getLoopbackAddress(), 0, 0);
    }
}
