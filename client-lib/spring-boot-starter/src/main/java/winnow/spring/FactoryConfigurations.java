package winnow.spring;

import jakarta.jms.ConnectionFactory;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jms.connection.CachingConnectionFactory;
import winnow.client.WinnowConnectionFactory;

/// The bean of the connection factory, in three forms; the first whose conditions hold is made.
final class FactoryConfigurations {
    private static final String POOL = "spring.winnow.pool.enabled";
    private static final String CACHE = "spring.jms.cache.enabled";

    private FactoryConfigurations() {}

    /// A pool.
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JmsPoolConnectionFactory.class)
    @ConditionalOnProperty(name = POOL, havingValue = "true", matchIfMissing = true)
    @ConditionalOnMissingBean(ConnectionFactory.class)
    static class Pooled {
        @Bean(destroyMethod = "stop")
        JmsPoolConnectionFactory jmsConnectionFactory(
                FactoryOfProperties factories, WinnowProperties properties) {
            WinnowProperties.Pool wanted = properties.pool();
            JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();
            pool.setConnectionFactory(factories.make());
            pool.setMaxConnections(wanted.maxConnections());
            pool.setMaxSessionsPerConnection(wanted.maxSessionsPerConnection());
            pool.setConnectionIdleTimeout(Math.toIntExact(wanted.idleTimeout().toMillis()));
            pool.setBlockIfSessionPoolIsFull(wanted.blockIfFull());
            pool.setBlockIfSessionPoolIsFullTimeout(wanted.blockIfFullTimeout().toMillis());
            pool.setConnectionCheckInterval(wanted.timeBetweenExpirationCheck().toMillis());
            pool.setUseAnonymousProducers(wanted.useAnonymousProducers());
            return pool;
        }
    }

    /// Spring's cache, with the properties that Spring Boot has for it.
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = CACHE, havingValue = "true", matchIfMissing = true)
    @ConditionalOnMissingBean(ConnectionFactory.class)
    static class Cached {
        @Bean
        CachingConnectionFactory jmsConnectionFactory(
                FactoryOfProperties factories, Environment environment) {
            ConnectionCache cache = new ConnectionCache(factories.make());
            cache.setCacheConsumers(
                    environment.getProperty("spring.jms.cache.consumers", Boolean.class, false));
            cache.setCacheProducers(
                    environment.getProperty("spring.jms.cache.producers", Boolean.class, true));
            cache.setSessionCacheSize(
                    environment.getProperty(
                            "spring.jms.cache.session-cache-size", Integer.class, 1));
            return cache;
        }
    }

    /// Neither.
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = CACHE, havingValue = "false")
    @ConditionalOnMissingBean(ConnectionFactory.class)
    static class Plain {
        @Bean
        WinnowConnectionFactory jmsConnectionFactory(FactoryOfProperties factories) {
            return factories.make();
        }
    }
}
