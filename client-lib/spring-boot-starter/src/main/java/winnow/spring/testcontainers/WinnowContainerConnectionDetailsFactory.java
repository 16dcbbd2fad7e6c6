package winnow.spring.testcontainers;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import winnow.spring.WinnowConnectionDetails;
import winnow.testcontainers.WinnowContainer;

/// Connects to a [WinnowContainer] that is annotated with `@ServiceConnection`.
final class WinnowContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<WinnowContainer, WinnowConnectionDetails> {
    @Override
    protected WinnowConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<WinnowContainer> source) {
        return new Details(source);
    }

    private static final class Details extends ContainerConnectionDetails<WinnowContainer>
            implements WinnowConnectionDetails {
        Details(ContainerConnectionSource<WinnowContainer> source) {
            super(source);
        }

        @Override
        public String getUrl() {
            String url = getContainer().getBrokerUrl();
            return getSslBundle() == null ? url : url.replaceFirst("winnow:", "winnows:");
        }

        @Override
        public String getUser() {
            return getContainer().getUser();
        }

        @Override
        public String getPassword() {
            return getContainer().getPassword();
        }

        /// That of the annotations `@Ssl`, `@PemTrustStore` and so on.
        @Override
        public @Nullable SslBundle getSslBundle() {
            return super.getSslBundle();
        }
    }
}
