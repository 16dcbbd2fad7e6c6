package winnow.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the selector module shows to other modules: the classes are compiled, and run, as an
/// application on the module path would have them.
class ModuleTest {

    private static final String DESCRIPTOR =
            "module application { requires winnow.selector; exports application; }";

    private static final Set<String> PUBLIC = Set.of("winnow.selector", "winnow.selector.error");

    @TempDir private Path folder;

    @Test
    void shouldServeAModuleThatUsesTheFacade() throws Exception {
        // given
        String example = "package application;\n" + Readme.example();

        // when
        assertThat(errors(example)).isEmpty();

        // then
        Configuration boot = ModuleLayer.boot().configuration();
        ModuleFinder finder = ModuleFinder.of(modulePath());
        Configuration modules = boot.resolve(finder, ModuleFinder.of(), Set.of("application"));
        ModuleLayer layer =
                ModuleLayer.boot()
                        .defineModulesWithOneLoader(modules, ClassLoader.getPlatformClassLoader());
        Class<?> run = layer.findLoader("application").loadClass("application.Example");
        assertThat(run.getMethod("run").invoke(null)).isEqualTo(Readme.RESULT);
        assertThat(layer.findModule("winnow.selector")).isPresent();
    }

    @Test
    void shouldShowNoOtherPackage() throws IOException {
        // given
        Set<String> packages =
                ModuleFinder.of(modulePath())
                        .find("winnow.selector")
                        .orElseThrow()
                        .descriptor()
                        .packages();
        assertThat(packages)
                .contains("winnow.selector", "winnow.selector.engine")
                .hasSizeGreaterThan(8);

        for (String name : packages) {
            // when
            List<String> errors =
                    errors("package application;\nimport %s.*;\nclass Example {}".formatted(name));

            // then
            assertThat(errors)
                    .as(name)
                    .isEqualTo(
                            PUBLIC.contains(name)
                                    ? List.of()
                                    : List.of("compiler.err.package.not.visible"));
        }
    }

    /// The codes of what the compiler finds wrong with a class of the application.
    private List<String> errors(String source) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("source"));
        Path descriptor = Files.writeString(sources.resolve("module-info.java"), DESCRIPTOR);
        Path example = Files.writeString(sources.resolve("Example.java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        String path =
                Arrays.stream(modulePath())
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator));
        List<String> options = List.of("-d", classes().toString(), "--module-path", path);
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            compiler.getTask(
                            null,
                            files,
                            found,
                            options,
                            null,
                            files.getJavaFileObjects(descriptor, example))
                    .call();
        }
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(Diagnostic::getCode)
                .toList();
    }

    private Path classes() {
        return folder.resolve("classes");
    }

    /// The application, the selectors and the libraries that they need.
    private Path[] modulePath() {
        List<Path> path = new ArrayList<>(List.of(classes()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path file = Path.of(entry);
            if (file.endsWith("classes")
                    || file.getFileName().toString().matches("(antlr4|jspecify).*")) {
                path.add(file);
            }
        }
        return path.toArray(new Path[0]);
    }
}
