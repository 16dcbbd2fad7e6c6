package winnow.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jms.JmsAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import winnow.client.WinnowConnectionFactory;

class WinnowAutoConfigurationTest {
    private final ApplicationContextRunner withPool =
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(
                                    SslAutoConfiguration.class,
                                    WinnowAutoConfiguration.class,
                                    JmsAutoConfiguration.class));
    private final ApplicationContextRunner withoutPool =
            withPool.withClassLoader(new FilteredClassLoader("org.messaginghub"));

    private static WinnowConnectionFactory cached(AssertableApplicationContext context) {
        ConnectionFactory target =
                context.getBean(CachingConnectionFactory.class).getTargetConnectionFactory();
        assertThat(target).isInstanceOf(WinnowConnectionFactory.class);
        return (WinnowConnectionFactory) Objects.requireNonNull(target);
    }

    @Test
    void shouldMakeACachedFactoryOfItsProperties() {
        withoutPool
                .withPropertyValues(
                        "spring.winnow.url=winnow://h:1?prefetchMessages=7",
                        "spring.winnow.user=u",
                        "spring.winnow.password=p",
                        "spring.application.name=orders",
                        "spring.jms.cache.session-cache-size=5")
                .run(context -> {
                    assertThat(context).hasSingleBean(JmsTemplate.class);
                    CachingConnectionFactory cache =
                            context.getBean(CachingConnectionFactory.class);
                    assertThat(cache.isCacheConsumers()).isFalse();
                    assertThat(cache.getSessionCacheSize()).isEqualTo(5);
                    WinnowConnectionFactory factory = cached(context);
                    assertThat(factory.getUrl()).startsWith("winnow://h:1");
                    assertThat(factory.getPrefetchMessages()).isEqualTo(7);
                    assertThat(factory.getUsername()).isEqualTo("u");
                    assertThat(factory.getPassword()).isEqualTo("p");
                    assertThat(factory.getApplication()).isEqualTo("orders");
                });
    }

    @Test
    void shouldTakeAListOfHosts() {
        withoutPool
                .withPropertyValues(
                        "spring.winnow.url=winnows://a:1,b,[::1]:2?startupMaxReconnectAttempts=5")
                .run(context -> {
                    WinnowConnectionFactory factory = cached(context);
                    assertThat(factory)
                            .hasToString("WinnowConnectionFactory[winnows://a:1,b:61616,[::1]:2]");
                    assertThat(factory.getStartupMaxReconnectAttempts()).isEqualTo(5);
                });
    }

    @Test
    void shouldConnectToThisMachineWithoutProperties() {
        withoutPool.run(context -> {
            WinnowConnectionFactory factory = cached(context);
            assertThat(factory.getUrl()).isEqualTo(WinnowConnectionFactory.DEFAULT_URL);
            assertThat(factory.getUsername()).isEmpty();
            assertThat(factory.getApplication()).isEmpty();
        });
    }

    @Test
    void shouldUseAPoolWhereThereIsOne() {
        withPool.withPropertyValues(
                        "spring.winnow.pool.max-connections=3",
                        "spring.winnow.pool.idle-timeout=2s",
                        "spring.winnow.application=named")
                .run(context -> {
                    JmsPoolConnectionFactory pool = context.getBean(JmsPoolConnectionFactory.class);
                    assertThat(context).hasSingleBean(ConnectionFactory.class);
                    assertThat(pool.getMaxConnections()).isEqualTo(3);
                    assertThat(pool.getConnectionIdleTimeout()).isEqualTo(2000);
                    assertThat(pool.getConnectionFactory())
                            .isInstanceOfSatisfying(
                                    WinnowConnectionFactory.class,
                                    factory ->
                                            assertThat(factory.getApplication())
                                                    .isEqualTo("named"));
                });
    }

    @Test
    void shouldUseTheCacheInPlaceOfAPoolIfTold() {
        withPool.withPropertyValues("spring.winnow.pool.enabled=false")
                .run(context ->
                        assertThat(context)
                                .hasSingleBean(CachingConnectionFactory.class)
                                .doesNotHaveBean(JmsPoolConnectionFactory.class));
    }

    @Test
    void shouldUseNeitherIfTold() {
        withoutPool
                .withPropertyValues("spring.jms.cache.enabled=false")
                .run(context -> {
                    assertThat(context).hasSingleBean(ConnectionFactory.class);
                    assertThat(context.getBean(ConnectionFactory.class))
                            .isInstanceOf(WinnowConnectionFactory.class);
                });
    }

    @Test
    void shouldLeaveAnApplicationItsOwnFactory() {
        withPool.withUserConfiguration(OwnFactory.class)
                .run(context ->
                        assertThat(context)
                                .hasSingleBean(ConnectionFactory.class)
                                .hasBean("own")
                                .doesNotHaveBean(WinnowConnectionDetails.class));
    }

    @Test
    void shouldConnectWhereConnectionDetailsSay() {
        withoutPool
                .withUserConfiguration(OtherPlace.class)
                .withPropertyValues("spring.winnow.url=winnow://h", "spring.winnow.user=u")
                .run(context -> {
                    WinnowConnectionFactory factory = cached(context);
                    assertThat(factory.getUrl()).isEqualTo("winnow://elsewhere:2");
                    assertThat(factory.getUsername()).isEqualTo("u");
                    assertThat(factory.getQueuePrefetchMessages()).isEqualTo(1);
                });
    }

    @Test
    void shouldSayThatABundleNeedsAUrlOfTls() {
        withoutPool
                .withPropertyValues(
                        "spring.winnow.url=winnow://h", "spring.winnow.ssl.bundle=broker")
                .run(context ->
                        assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessageContaining("spring.winnow.ssl.bundle is 'broker'")
                                .hasMessageContaining("winnows://")
                                .hasMessageContaining("winnow://h:61616"));
    }

    @Test
    void shouldSayThatThereIsNoSuchBundle() {
        withoutPool
                .withPropertyValues(
                        "spring.winnow.url=winnows://h", "spring.winnow.ssl.bundle=broker")
                .run(context ->
                        assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessageContaining("'broker'"));
    }

    @Test
    void shouldUseTheBundleOfConnectionDetails() {
        withoutPool
                .withUserConfiguration(SecuredPlace.class)
                .withPropertyValues("spring.winnow.ssl.bundle=of the properties")
                .run(context -> {
                    cached(context);
                    assertThat(context.getBean(SecuredPlace.class).contextsMade).isEqualTo(1);
                });
    }

    @Test
    void shouldSayThatTheBundleOfConnectionDetailsNeedsAUrlOfTls() {
        withoutPool
                .withUserConfiguration(UnfitPlace.class)
                .run(context ->
                        assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessageContaining("the connection details have an SSL bundle")
                                .hasMessageContaining("winnow://elsewhere:2"));
    }

    /// Counts the TLS contexts that are made of its bundle.
    @Configuration(proxyBeanMethods = false)
    static class SecuredPlace {
        private int contextsMade;

        @Bean
        WinnowConnectionDetails elsewhere() {
            SslBundle bundle =
                    SslBundle.of(
                            SslStoreBundle.NONE,
                            SslBundleKey.NONE,
                            SslOptions.NONE,
                            SslBundle.DEFAULT_PROTOCOL,
                            new CountingManagers());
            return new Details("winnows://elsewhere:2", bundle);
        }

        private final class CountingManagers implements SslManagerBundle {
            private final SslManagerBundle all =
                    SslManagerBundle.from(SslStoreBundle.NONE, SslBundleKey.NONE);

            @Override
            public KeyManagerFactory getKeyManagerFactory() {
                return all.getKeyManagerFactory();
            }

            @Override
            public TrustManagerFactory getTrustManagerFactory() {
                contextsMade++;
                return all.getTrustManagerFactory();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnfitPlace {
        @Bean
        WinnowConnectionDetails elsewhere() {
            return new Details("winnow://elsewhere:2", SslBundle.of(SslStoreBundle.NONE));
        }
    }

    private record Details(String url, SslBundle bundle) implements WinnowConnectionDetails {
        @Override
        public String getUrl() {
            return url;
        }

        @Override
        public SslBundle getSslBundle() {
            return bundle;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFactory {
        @Bean
        ConnectionFactory own() {
            return new WinnowConnectionFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherPlace {
        @Bean
        WinnowConnectionDetails elsewhere() {
            return () -> "winnow://elsewhere:2";
        }

        @Bean
        WinnowConnectionFactoryCustomizer fewAhead() {
            return factory -> factory.setQueuePrefetchMessages(1);
        }
    }
}
