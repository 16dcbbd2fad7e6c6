package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Whatever the broker keeps for messages, deliveries, timers, names and clients has a budget:
/// `budgets.txt` names one for each collection.
class BudgetTest {
    private static final String BROKER = "winnow.broker.";

    /// Packages that keep something for clients.
    private static final List<String> KEEPING =
            List.of(
                    "memory",
                    "budget",
                    "shard",
                    "storage",
                    "security",
                    "session",
                    "subscription",
                    "matching",
                    "routing",
                    "destination");

    /// Collections of others and our own that are none by their types.
    private static final Set<String> COLLECTIONS =
            Set.of(
                    "SequenceSet",
                    "SequenceMap",
                    "Availability",
                    "Roaring64Bitmap",
                    "RoaringBitmap",
                    "SelectorIndex",
                    "SlotsByName");

    private static final List<String> fields = new ArrayList<>();
    private static final Set<String> budgets = new TreeSet<>();

    @BeforeAll
    static void readBudgets() throws IOException {
        try (InputStream in = BudgetTest.class.getResourceAsStream("budgets.txt")) {
            assertThat(in).isNotNull();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.split("\n", -1)) {
                if (line.startsWith("[")) {
                    budgets.add(line.substring(1, line.length() - 1));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    fields.add(line);
                }
            }
        }
    }

    @Test
    void shouldHaveABudgetForEachCollection() {
        Set<String> found = new TreeSet<>();
        for (String keeping : KEEPING) {
            new ClassFileImporter()
                            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                            .withImportOption(location -> !location.contains("-tests.jar"))
                            .importPackages(BROKER + keeping)
                            .stream()
                            .flatMap(one -> one.getFields().stream())
                            .filter(BudgetTest::keepsMany)
                            .map(BudgetTest::name)
                            .forEach(found::add);
        }

        assertThat(found.size()).isGreaterThan(100);
        assertThat(new TreeSet<>(fields)).as("budgets.txt").isEqualTo(found);
        assertThat(fields).doesNotHaveDuplicates();
    }

    private static boolean keepsMany(JavaField field) {
        JavaClass type = field.getRawType();
        return !field.getModifiers().contains(JavaModifier.STATIC)
                && !field.getModifiers().contains(JavaModifier.SYNTHETIC)
                && (type.isAssignableTo(Collection.class)
                        || type.isAssignableTo(Map.class)
                        || type.isEquivalentTo(BitSet.class)
                        || COLLECTIONS.contains(type.getSimpleName()));
    }

    private static String name(JavaField field) {
        return field.getOwner().getName().substring(BROKER.length()) + "." + field.getName();
    }

    @Test
    void shouldNameBudgetsThatAreSettings() throws IOException {
        String settings = Files.readString(Path.of("..", "docs", "SETTINGS.md"));

        assertThat(budgets).isNotEmpty();
        assertThat(budgets)
                .filteredOn(budget -> budget.contains("."))
                .hasSizeGreaterThan(5)
                .allSatisfy(budget -> assertThat(settings).contains("`" + budget + "`"));
    }
}
