package winnow.spring;

import jakarta.jms.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import winnow.client.WinnowConnectionFactory;

/// Makes the connection factory of an application that has none: in a pool if pooled-jms is there,
/// otherwise with Spring's cache, since a connection for each message would cost much.
///
/// Spring Boot's own part for Jakarta Messaging comes after it, which is named, because its package
/// is another one in Spring Boot 3.5 than in 4.
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.autoconfigure.jms.JmsAutoConfiguration",
            "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration",
            "org.springframework.boot.autoconfigure.jms.artemis.ArtemisAutoConfiguration",
            "org.springframework.boot.autoconfigure.jms.activemq.ActiveMQAutoConfiguration",
            "org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration",
            "org.springframework.boot.activemq.autoconfigure.ActiveMQAutoConfiguration"
        },
        afterName = {
            "org.springframework.boot.autoconfigure.jms.JndiConnectionFactoryAutoConfiguration",
            "org.springframework.boot.jms.autoconfigure.JndiConnectionFactoryAutoConfiguration"
        })
@ConditionalOnClass({ConnectionFactory.class, WinnowConnectionFactory.class})
@ConditionalOnMissingBean(ConnectionFactory.class)
@EnableConfigurationProperties(WinnowProperties.class)
@Import({
    FactoryConfigurations.Pooled.class,
    FactoryConfigurations.Cached.class,
    FactoryConfigurations.Plain.class,
    MissingTemplates.class
})
public class WinnowAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    WinnowConnectionDetails winnowConnectionDetails(WinnowProperties properties) {
        return new DetailsOfProperties(properties);
    }

    @Bean
    FactoryOfProperties winnowConnectionFactories(
            WinnowProperties properties,
            WinnowConnectionDetails details,
            Environment environment,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<WinnowConnectionFactoryCustomizer> customizers) {
        return new FactoryOfProperties(
                properties,
                details,
                environment.getProperty("spring.application.name"),
                bundles,
                customizers);
    }

    private record DetailsOfProperties(WinnowProperties properties)
            implements WinnowConnectionDetails {
        @Override
        public String getUrl() {
            return properties.url();
        }

        @Override
        public @Nullable String getUser() {
            return properties.user();
        }

        @Override
        public @Nullable String getPassword() {
            return properties.password();
        }
    }
}
