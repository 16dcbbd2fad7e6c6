package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProductVersionTest {
    @Test
    void shouldBeTheVersionOfTheBuild() {
        assertThat(ProductVersion.text())
                .matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?")
                .startsWith(ProductVersion.major() + "." + ProductVersion.minor() + ".")
                .isEqualTo(System.getProperty("winnow.version"));
    }
}
