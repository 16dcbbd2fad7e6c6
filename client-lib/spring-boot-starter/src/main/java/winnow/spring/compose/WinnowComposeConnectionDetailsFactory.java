package winnow.spring.compose;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.ssl.SslBundle;
import winnow.spring.WinnowConnectionDetails;

/// Connects to a service of the image `winnow/broker`, or of another one with the label
/// `org.springframework.boot.service-connection: winnow/broker`.
final class WinnowComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<WinnowConnectionDetails> {
    private static final int PORT = 61616;

    WinnowComposeConnectionDetailsFactory() {
        super("winnow/broker");
    }

    @Override
    protected WinnowConnectionDetails getDockerComposeConnectionDetails(
            DockerComposeConnectionSource source) {
        return new Details(source.getRunningService());
    }

    private static final class Details extends DockerComposeConnectionDetails
            implements WinnowConnectionDetails {
        private final String url;
        private final Map<String, String> environment;
        private final @Nullable SslBundle bundle;

        Details(RunningService service) {
            super(service);
            bundle = getSslBundle(service);
            String scheme = bundle == null ? "winnow://" : "winnows://";
            url = scheme + service.host() + ":" + service.ports().get(PORT);
            environment = service.env();
        }

        @Override
        public String getUrl() {
            return url;
        }

        /// Nobody if the password is in a file of the container: then the properties say both.
        @Override
        public @Nullable String getUser() {
            return getPassword() == null ? null : environment.get("WINNOW_USER");
        }

        @Override
        public @Nullable String getPassword() {
            return environment.get("WINNOW_PASSWORD");
        }

        /// That of the labels `org.springframework.boot.sslbundle.*`.
        @Override
        public @Nullable SslBundle getSslBundle() {
            return bundle;
        }
    }
}
