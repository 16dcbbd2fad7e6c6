package winnow.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.selector.engine.RandomSelectors;
import winnow.selector.engine.ReferenceInterpreter;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Truth;

class SelectorsTest {

    private final SubscriberIndex<Map<String, Object>, String> index =
            Selectors.index((message, name) -> message.get(name));

    @Test
    void shouldMatchAMap() {
        CompiledSelector selector = Selectors.parse("price > 10 AND JMSPriority = 4");
        assertThat(selector.matches(Map.of("price", 11, "JMSPriority", 4))).isTrue();
        assertThat(selector.matches(Map.of("price", 9, "JMSPriority", 4))).isFalse();
        assertThat(selector.matches(Map.of())).isFalse();
        assertThat(Selectors.parse(" ").matches(Map.of())).isTrue();
        assertThatThrownBy(() -> Selectors.parse("price =="))
                .isInstanceOf(InvalidSelectorSyntaxException.class);
    }

    @Test
    void shouldFindEachSubscriberUntilItIsRemoved() {
        // given
        var first = index.add(Selectors.parse("a = 1"), "first");
        index.add(Selectors.parse("a = 1"), "second");
        index.add(Selectors.parse("b IS NULL"), "third");

        // then
        assertThat(index.match(Map.of("a", 1)))
                .containsExactlyInAnyOrder("first", "second", "third");
        index.remove(first);
        index.remove(first);
        assertThat(index.match(Map.of("a", 1, "b", 2))).containsExactly("second");
    }

    @Test
    void shouldAgreeWithTheReference() {
        // given
        RandomSelectors random = new RandomSelectors(7);
        Map<String, Condition> conditions = new HashMap<>();
        while (conditions.size() < 200) {
            Condition condition = random.condition(2);
            String text = ExpressionPrinter.print(condition);
            try {
                index.add(Selectors.parse(text), text);
                conditions.put(text, condition);
            } catch (InvalidSelectorSyntaxException _) {
                // Ranges of correlation IDs have no selector text.
            }
        }

        for (int i = 0; i < 500; i++) {
            // when
            Map<String, Object> message = random.messageWithProperHeaders();

            // then
            assertThat(index.match(message).stream().distinct())
                    .as(message.toString())
                    .containsExactlyInAnyOrderElementsOf(
                            conditions.entrySet().stream()
                                    .filter(entry ->
                                            new ReferenceInterpreter(message)
                                                            .evaluate(entry.getValue())
                                                    == Truth.TRUE)
                                    .map(Map.Entry::getKey)
                                    .toList());
        }
    }

    /// What stays is found by every match, whatever is added and removed meanwhile.
    @Test
    void shouldMatchWhileSelectorsChange() throws InterruptedException {
        // given
        index.add(Selectors.parse("a = 1"), "stays");
        AtomicBoolean stop = new AtomicBoolean();
        Thread changes =
                Thread.ofPlatform()
                        .start(() -> {
                            Random random = new Random(1);
                            while (!stop.get()) {
                                var added =
                                        index.add(
                                                Selectors.parse(
                                                        "n%d IS NULL AND a = 2"
                                                                .formatted(random.nextInt(50))),
                                                "goes");
                                index.remove(added);
                            }
                        });

        // when
        List<List<String>> wrong = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            List<String> found = index.match(Map.of("a", 1));
            if (!found.equals(List.of("stays"))) {
                wrong.add(found);
            }
        }
        stop.set(true);
        changes.join();

        // then
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldCompileAndRunTheExampleOfTheReadme(@TempDir Path folder) throws Exception {
        // given
        Path source = Files.writeString(folder.resolve("Example.java"), Readme.example());

        // when
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter output = new StringWriter();
        boolean compiled;
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            compiled =
                    compiler.getTask(
                                    output,
                                    files,
                                    null,
                                    List.of(
                                            "-d",
                                            folder.toString(),
                                            "-cp",
                                            System.getProperty("java.class.path")),
                                    null,
                                    files.getJavaFileObjects(source))
                            .call();
        }

        // then
        assertThat(compiled).as(output.toString()).isTrue();
        URL[] path = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, Selectors.class.getClassLoader())) {
            Object result = loader.loadClass("Example").getMethod("run").invoke(null);
            assertThat(result).isEqualTo(Readme.RESULT);
        }
    }

    /// Says what a message has, and counts what it is asked for.
    private static final class CountingSource implements PropertySource<Map<String, Object>> {

        int asked;

        @Override
        public @Nullable Object property(Map<String, Object> message, String name) {
            asked++;
            return message.get(name);
        }

        @Override
        public Iterable<String> names(Map<String, Object> message) {
            return message.keySet();
        }
    }

    @Test
    void shouldAskOnlyForWhatTheMessageHas() {
        // given
        CountingSource source = new CountingSource();
        SubscriberIndex<Map<String, Object>, String> large = Selectors.index(source);
        List<SubscriberIndex.Registration<String>> registrations = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            registrations.add(large.add(Selectors.parse("n" + i + " = 1"), "s" + i));
        }
        large.add(Selectors.parse("missing IS NULL AND JMSPriority > 3"), "stays");

        // when
        List<String> found = large.match(Map.of("n7", 1, "n9", 2, "x", 3, "JMSPriority", 4));

        // then
        assertThat(found).containsExactlyInAnyOrder("s7", "stays");
        assertThat(source.asked).isEqualTo(3);
        registrations.forEach(large::remove);
        assertThat(large.match(Map.of("n7", 1, "JMSPriority", 4))).containsExactly("stays");
        assertThat(source.asked).isEqualTo(4);
    }

    @Test
    void shouldForgetNames() {
        // given
        CountedNames names = new CountedNames();
        names.add("stays");
        names.add("stays");
        for (int i = 0; i < 1_000; i++) {
            names.add("n" + i);
        }
        assertThat(names.length()).isGreaterThan(1_000);

        // when
        for (int i = 0; i < 1_000; i++) {
            names.remove("n" + i);
        }
        names.remove("stays");

        // then
        List<String> left = new ArrayList<>();
        names.forEach(left::add);
        assertThat(left).containsExactly("stays");
        assertThat(names.length()).isLessThan(20);
    }
}
