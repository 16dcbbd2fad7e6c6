package winnow.spring;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Configuration;

/// Tells an application of Spring Boot 4 why it has no JmsTemplate and no listeners.
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingClass({
    "org.springframework.boot.autoconfigure.jms.JmsAutoConfiguration",
    "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration"
})
class MissingTemplates {
    private static final Logger LOG = LoggerFactory.getLogger(MissingTemplates.class);

    MissingTemplates() {
        LOG.warn(
                "there will be no JmsTemplate and no @JmsListener: expected"
                        + " org.springframework.boot:spring-boot-starter-jms beside"
                        + " winnow-spring-boot-starter with Spring Boot 4, found none");
    }
}
