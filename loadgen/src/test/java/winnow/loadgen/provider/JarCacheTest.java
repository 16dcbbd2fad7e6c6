package winnow.loadgen.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarCacheTest {

    private static final List<String> ARTIFACTS = List.of("a.b:c:1.2", "d:e:3.4:zip");

    @TempDir private Path directory;

    @Test
    void shouldAskMavenForJarsAndZips() {
        // when
        var pom = JarCache.pom("peer", ARTIFACTS, List.of("f:g"));

        // then
        assertThat(pom)
                .contains("<groupId>a.b</groupId><artifactId>c</artifactId><version>1.2</version>")
                .contains("<type>zip</type>")
                .contains("<exclusion><groupId>f</groupId><artifactId>g</artifactId></exclusion>");
    }

    @Test
    void shouldFetchNothingThatIsThere() throws Exception {
        // given
        var pom = JarCache.pom("peer", ARTIFACTS, List.of());
        var jars = directory.resolve("peer-%08x/jars".formatted(pom.hashCode()));
        Files.createDirectories(jars);
        var said = new ArrayList<String>();

        // when
        var found = new JarCache(directory, null).jars("peer", ARTIFACTS, List.of(), said::add);

        // then
        assertThat(found).isEqualTo(jars);
        assertThat(said).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNoArtifact() {
        assertThatThrownBy(() -> JarCache.pom("peer", List.of("a:<b>:1"), List.of()))
                .hasMessage("expected group:artifact:version, perhaps with :zip, found 'a:<b>:1'");
    }

    @Test
    void shouldBeWhereCachesAre() {
        assertThat(JarCache.usualDirectory("/caches")).hasToString("/caches/winnow/providers");
        assertThat(JarCache.usualDirectory(null).toString()).endsWith("/.cache/winnow/providers");
    }
}
