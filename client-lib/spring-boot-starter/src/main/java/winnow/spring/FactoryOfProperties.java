package winnow.spring;

import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import winnow.client.WinnowConnectionFactory;

/// Makes the connection factory that properties and connection details describe.
final class FactoryOfProperties {
    private static final String TLS = "winnows://";

    private final WinnowProperties properties;
    private final WinnowConnectionDetails details;
    private final @Nullable String springApplication;
    private final ObjectProvider<SslBundles> bundles;
    private final ObjectProvider<WinnowConnectionFactoryCustomizer> customizers;

    FactoryOfProperties(
            WinnowProperties properties,
            WinnowConnectionDetails details,
            @Nullable String springApplication,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<WinnowConnectionFactoryCustomizer> customizers) {
        this.properties = properties;
        this.details = details;
        this.springApplication = springApplication;
        this.bundles = bundles;
        this.customizers = customizers;
    }

    /// A factory of its own for each call.
    ///
    /// @throws IllegalArgumentException if the URL is none, or one without TLS though there is a
    ///   bundle
    WinnowConnectionFactory make() {
        WinnowConnectionFactory factory = new WinnowConnectionFactory(details.getUrl());
        boolean named = details.getUser() != null;
        String user = named ? details.getUser() : properties.user();
        if (user != null) {
            factory.setUsername(user);
            factory.setPassword(named ? details.getPassword() : properties.password());
        }
        nameApplication(factory);
        secure(factory);
        customizers.orderedStream().forEach(customizer -> customizer.customize(factory));
        return factory;
    }

    private void nameApplication(WinnowConnectionFactory factory) {
        String named = properties.application();
        if (named != null) {
            factory.setApplication(named);
        } else if (springApplication != null && factory.getApplication().isEmpty()) {
            factory.setApplication(springApplication);
        }
    }

    private void secure(WinnowConnectionFactory factory) {
        SslBundle given = details.getSslBundle();
        String name = properties.ssl().bundle();
        if (given != null) {
            requireTls(factory, "the connection details have an SSL bundle");
            use(factory, given);
        } else if (name != null && !name.isEmpty()) {
            requireTls(factory, "spring.winnow.ssl.bundle is '" + name + "'");
            SslBundles all = bundles.getObject();
            use(factory, all.getBundle(name));
            all.addBundleUpdateHandler(name, changed -> use(factory, changed));
        }
    }

    private void requireTls(WinnowConnectionFactory factory, String reason) {
        if (!details.getUrl().startsWith(TLS)) {
            throw new IllegalArgumentException(
                    "%s: expected a URL of TLS (%s), found %s; set spring.winnow.url"
                            .formatted(reason, TLS, factory));
        }
    }

    private static void use(WinnowConnectionFactory factory, SslBundle bundle) {
        SslOptions options = bundle.getOptions();
        SSLParameters choices = new SSLParameters();
        choices.setProtocols(options.getEnabledProtocols());
        choices.setCipherSuites(options.getCiphers());
        factory.setSslContext(bundle.createSslContext(), choices);
    }
}
