package winnow.tests;

import static com.tngtech.archunit.lang.conditions.ArchConditions.haveSimpleNameEndingWith;
import static com.tngtech.archunit.lang.conditions.ArchConditions.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The rules of CONTRIBUTING.md and ARCHITECTURE.md that a machine can check.
class ArchitectureTest {
    private static JavaClasses winnow = new ClassFileImporter().importClasses();

    @BeforeAll
    static void read() {
        winnow =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .withImportOption(location -> !location.contains("-tests.jar"))
                        .importPackages("winnow");
    }

    @Test
    void shouldHaveReadAllModules() {
        Set<String> modules =
                winnow.stream()
                        .map(one -> one.getPackageName().split("\\.", -1)[1])
                        .collect(Collectors.toSet());

        assertThat(modules).contains("wire", "selector", "broker", "client", "loadgen", "tests");
        assertThat(winnow.size()).isGreaterThan(150);
    }

    @Test
    void shouldKeepWireAndSelectorFreeOfTheRest() {
        check(
                noClasses()
                        .that()
                        .resideInAnyPackage("winnow.selector..", "winnow.wire..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "winnow.broker..", "winnow.client..", "winnow.loadgen.."));
        check(
                noClasses()
                        .that()
                        .resideInAPackage("winnow.selector..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("winnow.wire..", "io.netty.."));
        check(
                noClasses()
                        .that()
                        .resideInAPackage("winnow.client..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "winnow.broker..", "winnow.selector..", "winnow.loadgen.."));
        check(
                noClasses()
                        .that()
                        .resideInAPackage("winnow.loadgen..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("winnow.broker..", "winnow.client..", "winnow.wire.."));
    }

    @Test
    void shouldRespectTheLayersOfTheBroker() {
        check(
                layeredArchitecture()
                        .consideringOnlyDependenciesInAnyPackage("winnow.broker..")
                        .layer("main")
                        .definedBy("winnow.broker", "winnow.broker.cli..")
                        .layer("admin")
                        .definedBy("winnow.broker.admin..")
                        .layer("transport")
                        .definedBy("winnow.broker.transport..")
                        .layer("session")
                        .definedBy("winnow.broker.session..")
                        .layer("destination")
                        .definedBy("winnow.broker.destination..")
                        .layer("subscription")
                        .definedBy("winnow.broker.subscription..")
                        .whereLayer("main")
                        .mayNotBeAccessedByAnyLayer()
                        .whereLayer("admin")
                        .mayOnlyBeAccessedByLayers("main")
                        .whereLayer("transport")
                        .mayOnlyBeAccessedByLayers("main", "admin")
                        .whereLayer("session")
                        .mayOnlyBeAccessedByLayers("main", "admin", "transport")
                        .whereLayer("destination")
                        .mayOnlyBeAccessedByLayers("main", "admin", "transport", "session"));
        check(
                noClasses()
                        .that()
                        .resideInAnyPackage("winnow.broker.metrics..", "winnow.broker.config..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "winnow.broker.admin..",
                                "winnow.broker.transport..",
                                "winnow.broker.session..",
                                "winnow.broker.destination..",
                                "winnow.broker.subscription.."));
    }

    @Test
    void shouldHaveNoPackageCycles() {
        for (String module : List.of("selector", "broker", "client", "loadgen")) {
            check(slices().matching("winnow." + module + ".(*)..").should().beFreeOfCycles());
        }
    }

    @Test
    void shouldUseLibrariesOnlyWhereTheyBelong() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(
                                "winnow.broker.transport..",
                                "winnow.client.transport..",
                                "winnow.tests.floor..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("io.netty.channel.."));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages("winnow.selector.parse..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("org.antlr.."));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(
                                "winnow.client..", "winnow.loadgen..", "winnow.tests..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("jakarta.jms.."));
    }

    @Test
    void shouldUseNamesThatSaySomething() {
        for (String suffix : List.of("Impl", "Manager", "Helper", "Util", "Utils")) {
            check(classes().should(not(haveSimpleNameEndingWith(suffix))));
        }
    }

    @Test
    void shouldTakeNoLocksOnTheWayOfAMessage() {
        check(
                methods()
                        .that()
                        .areDeclaredInClassesThat()
                        .resideInAnyPackage(
                                "winnow.broker.subscription..", "winnow.broker.transport..")
                        .should()
                        .notHaveModifier(JavaModifier.SYNCHRONIZED));
        check(
                noFields()
                        .that()
                        .areDeclaredInClassesThat()
                        .resideInAnyPackage(
                                "winnow.broker.destination..", "winnow.broker.subscription..")
                        .should()
                        .haveRawType(
                                DescribedPredicate.describe(
                                        "a lock",
                                        (JavaClass type) ->
                                                type.getPackageName()
                                                        .equals("java.util.concurrent.locks"))));
    }

    @Test
    void shouldLogThroughSlf4jOnly() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackage("winnow.tests..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("java.util.logging.."));
    }

    @Test
    void shouldMarkEveryPackageForNullChecks() throws ClassNotFoundException {
        Set<String> packages = new TreeSet<>();
        winnow.forEach(one -> packages.add(one.getPackageName()));

        for (String name : packages) {
            Package map = Class.forName(name + ".package-info").getPackage();
            assertThat(map.isAnnotationPresent(NullMarked.class)).as(name).isTrue();
        }
        assertThat(packages).hasSizeGreaterThan(15);
    }

    private static void check(ArchRule rule) {
        rule.check(winnow);
    }
}
