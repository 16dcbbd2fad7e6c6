package winnow.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import winnow.broker.config.SettingSources;
import winnow.broker.security.UserFile;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.frame.ControlFrame;

/// A broker with users and a file of permissions. The password of each user is its name.
final class PermissionRig implements AutoCloseable {
    static final String ADMIN = "  - {who: root, may: [admin]}\n";

    private static final List<String> USERS = List.of("ann", "bob", "mon", "nobody", "root");

    final Broker broker;
    private final Path permissions;
    private final List<TestClient> clients = new ArrayList<>();

    /// @param more settings, each key before its value
    PermissionRig(Path directory, String rules, String... more) throws IOException {
        permissions = directory.resolve("permissions.yaml");
        write(rules);
        Path users =
                TestUsers.write(
                        directory,
                        USERS.stream().map(one -> UserFile.line(one, one)).toArray(String[]::new));
        Map<String, String> settings = new HashMap<>();
        settings.put("security.users", users.toString());
        settings.put("security.permissions", permissions.toString());
        settings.put("storage.directory", directory.resolve("store").toString());
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        broker =
                new Broker(
                        BrokerConfig.of(settings),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0,
                        () -> {
                            SettingSources sources = new SettingSources(BrokerConfig.DEFAULTS);
                            settings.forEach((key, value) -> sources.put(key, value, "test"));
                            return sources;
                        },
                        null);
    }

    /// Replaces the rules, beside one for the administrator.
    void write(String rules) throws IOException {
        Files.writeString(permissions, "rules:\n" + ADMIN + rules);
    }

    /// Replaces the rules of the running broker.
    void reload(String rules) throws IOException {
        write(rules);
        broker.reload();
    }

    TestClient connect(String user) throws IOException {
        return connect(user, "");
    }

    TestClient connect(String user, String clientId) throws IOException {
        TestClient client = said(user, clientId);
        connectionId = client.expect(ControlFrame.Welcome.class).connectionId();
        return client;
    }

    /// Of the last client that was welcome.
    long connectionId;

    /// A client that has said its Hello.
    TestClient said(String user, String clientId) throws IOException {
        TestClient client = new TestClient(broker.address());
        clients.add(client);
        client.hello(
                new ControlFrame.Hello(
                        Protocol.STORED, clientId, "PLAIN", "\0" + user + "\0" + user, 0, "test"));
        return client;
    }

    /// A client that can come back.
    TestClient returning(String user, String clientId, Resumption resumption) throws IOException {
        TestClient client = new TestClient(broker.address());
        clients.add(client);
        client.hello(
                new ControlFrame.Hello(
                        ReturningRig.CAPABILITIES,
                        clientId,
                        "PLAIN",
                        "\0" + user + "\0" + user,
                        0,
                        "test",
                        resumption));
        return client;
    }

    HttpResponse<String> get(String user, String path) throws IOException {
        return BrokerPages.get(broker, path, user, user);
    }

    /// The header `Authorization` of a user whose password is its name.
    static String basic(String user) {
        byte[] credentials = (user + ":" + user).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(credentials);
    }

    /// Asks as the administrator.
    ///
    /// @param headers names and values
    HttpResponse<String> send(String method, String path, String body, String... headers)
            throws IOException {
        List<String> all = new ArrayList<>(List.of("Authorization", basic("root")));
        all.addAll(List.of(headers));
        return BrokerPages.send(broker, method, path, body, all.toArray(String[]::new));
    }

    /// @param method `GET`, `POST`, `PUT` or `DELETE`
    HttpResponse<String> ask(String user, String method, String path) throws IOException {
        String basic = basic(user);
        return switch (method) {
            case "GET" -> get(user, path);
            case "POST" -> BrokerPages.post(broker, path, "Authorization", basic);
            case "PUT" ->
                    BrokerPages.put(broker, path, "{\"password\": \"x\"}", "Authorization", basic);
            case "DELETE" -> BrokerPages.delete(broker, path, "Authorization", basic);
            default -> throw new IllegalArgumentException(method);
        };
    }

    @Override
    public void close() throws IOException {
        for (TestClient client : clients) {
            client.close();
        }
        broker.close();
    }
}
