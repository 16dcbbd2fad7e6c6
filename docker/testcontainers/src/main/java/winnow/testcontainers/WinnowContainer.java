package winnow.testcontainers;

import java.util.Locale;
import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/// A Winnow broker in a container, ready to be connected to:
///
/// ```java
/// try (WinnowContainer broker = new WinnowContainer()) {
///     broker.start();
///     ConnectionFactory factory =
///             new WinnowConnectionFactory(
///                     broker.getBrokerUrl(), broker.getUser(), broker.getPassword());
/// }
/// ```
///
/// It demands credentials; user and password are made for each container unless they are given.
public final class WinnowContainer extends GenericContainer<WinnowContainer> {
    /// The image, without a tag.
    public static final DockerImageName IMAGE = DockerImageName.parse("winnow/broker");

    /// Port of clients inside the container.
    public static final int BROKER_PORT = 61616;

    /// Port of health, metrics and API inside the container.
    public static final int HTTP_PORT = 8161;

    private String user = "admin";
    private String password = UUID.randomUUID().toString();

    /// A container of the image's newest version.
    public WinnowContainer() {
        this(IMAGE);
    }

    public WinnowContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /// @param image `winnow/broker` or declared to be compatible with it
    public WinnowContainer(DockerImageName image) {
        super(image);
        image.assertCompatibleWith(IMAGE);
        addExposedPorts(BROKER_PORT, HTTP_PORT);
        waitingFor(Wait.forHttp("/health/ready").forPort(HTTP_PORT));
    }

    /// The user that may connect, instead of one that is made for this container.
    public WinnowContainer withUser(String name, String newPassword) {
        user = name;
        password = newPassword;
        return this;
    }

    /// Changes a setting of the broker, such as `subscription.buffer` to `64KiB`.
    public WinnowContainer withSetting(String key, String value) {
        String variable = key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
        return withEnv("WINNOW_" + variable, value);
    }

    @Override
    protected void configure() {
        addEnv("WINNOW_USER", user);
        addEnv("WINNOW_PASSWORD", password);
    }

    /// Where clients connect, for a `WinnowConnectionFactory`.
    public String getBrokerUrl() {
        return "winnow://" + getHost() + ":" + getMappedPort(BROKER_PORT);
    }

    /// Where health, metrics and the API are.
    public String getHttpUrl() {
        return "http://" + getHost() + ":" + getMappedPort(HTTP_PORT);
    }

    public String getUser() {
        return user;
    }

    public String getPassword() {
        return password;
    }
}
