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
import com.tngtech.archunit.core.domain.PackageMatcher;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.logging.Logger;
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

        assertThat(modules)
                .contains("wire", "cli", "selector", "broker", "client", "loadgen", "tests");
        assertThat(winnow.size()).isGreaterThan(150);
    }

    @Test
    void shouldKeepEachPackageInOneModule() {
        Map<String, Set<String>> modules =
                winnow.stream()
                        .collect(
                                Collectors.groupingBy(
                                        JavaClass::getPackageName,
                                        Collectors.mapping(
                                                ArchitectureTest::root, Collectors.toSet())));

        assertThat(modules).allSatisfy((name, roots) -> assertThat(roots).as(name).hasSize(1));
    }

    /// One simple name means one thing to a reader, in whichever module he meets it.
    @Test
    void shouldUseEachSimpleNameOnce() {
        Map<String, Set<String>> packages =
                winnow.stream()
                        .filter(JavaClass::isTopLevelClass)
                        .filter(one -> !one.getSimpleName().equals("package-info"))
                        .filter(one -> !one.getSimpleName().equals("Main"))
                        .collect(
                                Collectors.groupingBy(
                                        JavaClass::getSimpleName,
                                        Collectors.mapping(
                                                JavaClass::getPackageName, Collectors.toSet())));

        assertThat(packages).allSatisfy((name, places) -> assertThat(places).as(name).hasSize(1));
    }

    /// The jar or folder that a class is from.
    private static String root(JavaClass one) {
        String file = one.getSource().orElseThrow().getUri().toString();
        String path = one.getFullName().replaceAll("\\$.*", "").replace('.', '/');
        return file.substring(0, file.lastIndexOf(path.substring(0, path.lastIndexOf('/'))));
    }

    @Test
    void shouldKeepModulesFreeOfThoseAboveThem() {
        check(
                noClasses()
                        .that()
                        .resideInAnyPackage(own("winnow.wire..", "winnow.cli.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                own(
                                        "winnow.selector..",
                                        "winnow.broker..",
                                        "winnow.client..",
                                        "winnow.loadgen..",
                                        "winnow.tests..")));
        check(
                noClasses()
                        .that()
                        .resideInAPackage(own("winnow.selector.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                own(
                                        "winnow.wire..",
                                        "winnow.broker..",
                                        "winnow.client..",
                                        "winnow.loadgen..",
                                        "winnow.tests..")));
        check(
                noClasses()
                        .that()
                        .resideInAPackage(own("winnow.selector.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(used("io.netty..")));
    }

    @Test
    void shouldKnowTheEngineOfAClusterInOneModule() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackage(own("winnow.cluster.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(used("org.apache.ratis..")));
        check(
                noClasses()
                        .that()
                        .resideInAPackage(own("winnow.cluster.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(own("winnow.broker..", "winnow.client..")));
    }

    @Test
    void shouldKeepBrokerClientAndLoadApart() {
        check(
                noClasses()
                        .that()
                        .resideInAPackage(own("winnow.broker.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                own("winnow.client..", "winnow.loadgen..", "winnow.tests..")));
        check(
                noClasses()
                        .that()
                        .resideInAPackage(own("winnow.client.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                own(
                                        "winnow.broker..",
                                        "winnow.selector..",
                                        "winnow.loadgen..",
                                        "winnow.tests..")));
        check(
                noClasses()
                        .that()
                        .resideInAPackage(own("winnow.loadgen.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                own(
                                        "winnow.broker..",
                                        "winnow.client..",
                                        "winnow.selector..",
                                        "winnow.tests..")));
        // Round trips of frames without a broker use the protocol, and nothing else does.
        check(
                noClasses()
                        .that()
                        .resideInAPackage(own("winnow.loadgen.."))
                        .and()
                        .resideOutsideOfPackage(own("winnow.loadgen.roundtrip.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(own("winnow.wire..")));
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
                        .definedBy(
                                "winnow.broker.session..",
                                "winnow.broker.security..",
                                "winnow.broker.budget..")
                        .layer("destination")
                        .definedBy(
                                "winnow.broker.destination..",
                                "winnow.broker.routing..",
                                "winnow.broker.matching..")
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
                        .resideInAnyPackage(
                                own("winnow.broker.metrics..", "winnow.broker.config.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                own(
                                        "winnow.broker",
                                        "winnow.broker.cli..",
                                        "winnow.broker.admin..",
                                        "winnow.broker.transport..",
                                        "winnow.broker.session..",
                                        "winnow.broker.destination..",
                                        "winnow.broker.subscription..")));
    }

    /// Another protocol on the port has bytes of its own.
    @Test
    void shouldKeepTheBytesOfTheNativeProtocolOutOfSessions() {
        check(
                noClasses()
                        .that()
                        .resideInAnyPackage(own("winnow.broker.session.."))
                        .should()
                        .dependOnClassesThat()
                        .haveNameMatching(
                                "winnow[.]wire[.](WireReader|WireWriter|Frame[A-Za-z]*)"));
    }

    /// Each part of the selector index knows only those of the lines before it.
    @Test
    void shouldRespectTheLayersOfTheIndex() {
        List<List<String>> layers =
                List.of(
                        List.of("winnow.selector.index.structure", "winnow.selector.index.api"),
                        List.of("winnow.selector.index.term"),
                        List.of("winnow.selector.index.node"),
                        List.of("winnow.selector.index.learn"),
                        List.of("winnow.selector.index.match"));
        for (int i = 0; i < layers.size() - 1; i++) {
            String[] above =
                    layers.subList(i + 1, layers.size()).stream()
                            .flatMap(List::stream)
                            .toArray(String[]::new);
            check(
                    noClasses()
                            .that()
                            .resideInAnyPackage(own(layers.get(i).toArray(String[]::new)))
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(own(above)));
        }
        // The report is beside the match.
        String report = "winnow.selector.index.report";
        for (List<String> layer : layers) {
            check(
                    noClasses()
                            .that()
                            .resideInAnyPackage(own(layer.toArray(String[]::new)))
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(own(report)));
        }
        check(
                noClasses()
                        .that()
                        .resideInAnyPackage(own(report))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(own("winnow.selector.index.match")));
    }

    @Test
    void shouldHaveNoPackageCycles() {
        check(slices().assignedFrom(new WholePackages()).should().beFreeOfCycles());
    }

    /// Each package, the top one of a module included.
    private record WholePackages() implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass one) {
            return one.getPackageName().startsWith("winnow")
                    ? SliceIdentifier.of(one.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }

    @Test
    void shouldUseLibrariesOnlyWhereTheyBelong() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(
                                own(
                                        "winnow.broker.transport..",
                                        "winnow.client.transport..",
                                        "winnow.loadgen.roundtrip..",
                                        "winnow.tests.floor.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(used("io.netty.channel..")));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(own("winnow.selector.parse.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(used("org.antlr..")));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(
                                own(
                                        "winnow.client..",
                                        "winnow.loadgen..",
                                        "winnow.tests.bodies..",
                                        "winnow.tests.hung..",
                                        "winnow.tests.queues..",
                                        "winnow.tests.returns..",
                                        "winnow.tests.young.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(used("jakarta.jms..")));
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
                                own(
                                        "winnow.broker.destination..",
                                        "winnow.broker.routing..",
                                        "winnow.broker.matching..",
                                        "winnow.broker.subscription..",
                                        "winnow.broker.transport.."))
                        // A name is added once in the broker's life; messages use no certificates,
                        // no handshakes and no places of connections.
                        .and()
                        .areDeclaredInClassesThat()
                        .doNotHaveSimpleName("NameDictionary")
                        .and()
                        .areDeclaredInClassesThat()
                        .doNotHaveSimpleName("TlsCertificates")
                        .and()
                        .areDeclaredInClassesThat()
                        .doNotHaveSimpleName("HandshakeSlots")
                        .and()
                        .areDeclaredInClassesThat()
                        .doNotHaveSimpleName("ConnectionPlaces")
                        .should()
                        .notHaveModifier(JavaModifier.SYNCHRONIZED));
        check(
                noFields()
                        .that()
                        .areDeclaredInClassesThat()
                        .resideInAnyPackage(
                                own(
                                        "winnow.broker.destination..",
                                        "winnow.broker.routing..",
                                        "winnow.broker.matching..",
                                        "winnow.broker.subscription..",
                                        "winnow.broker.transport.."))
                        .should()
                        .haveRawType(
                                DescribedPredicate.describe(
                                        "a lock",
                                        (JavaClass type) ->
                                                type.getPackageName()
                                                        .equals(Lock.class.getPackageName()))));
    }

    @Test
    void shouldLogThroughSlf4jOnly() {
        check(
                noClasses()
                        .that()
                        .resideInAPackage(own("winnow.."))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(Logger.class.getPackageName() + ".."));
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

    /// Patterns of our packages: a rule about packages that do not exist, or no longer, holds
    /// always.
    private static String[] own(String... patterns) {
        for (String pattern : patterns) {
            assertThat(winnow)
                    .as("classes in " + pattern)
                    .anyMatch(one -> PackageMatcher.of(pattern).matches(one.getPackageName()));
        }
        return patterns;
    }

    private static String own(String pattern) {
        return own(new String[] {pattern})[0];
    }

    /// A pattern of a library's packages that some class of ours uses: where it may.
    private static String used(String pattern) {
        assertThat(winnow)
                .as("users of " + pattern)
                .anyMatch(one ->
                        one.getDirectDependenciesFromSelf().stream()
                                .map(dependency -> dependency.getTargetClass().getPackageName())
                                .anyMatch(PackageMatcher.of(pattern)::matches));
        return pattern;
    }
}
