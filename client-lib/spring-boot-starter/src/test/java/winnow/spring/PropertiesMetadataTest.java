package winnow.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PropertiesMetadataTest {
    /// Editors show what is there.
    @Test
    void shouldDescribeEachProperty() throws IOException {
        String metadata;
        try (InputStream file =
                WinnowProperties.class.getResourceAsStream(
                        "/META-INF/spring-configuration-metadata.json")) {
            metadata = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        String properties = metadata.substring(metadata.indexOf("\"properties\""));
        int named = properties.split("\"name\": \"spring\\.winnow\\.", -1).length - 1;
        int described = properties.split("\"description\": ", -1).length - 1;
        assertThat(properties)
                .contains(
                        "spring.winnow.url",
                        "spring.winnow.user",
                        "spring.winnow.password",
                        "spring.winnow.application",
                        "spring.winnow.ssl.bundle",
                        "spring.winnow.pool.max-connections");
        assertThat(described).isEqualTo(named).isEqualTo(13);
    }
}
