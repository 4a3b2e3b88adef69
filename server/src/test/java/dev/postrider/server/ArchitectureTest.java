package dev.postrider.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.sql.Connection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * Which package may use which.
 *
 * <p>Maven already keeps modules apart; this also keeps packages apart, and speaks in sentences.
 */
@AnalyzeClasses(packages = "dev.postrider", importOptions = PackageMapTest.WithoutTests.class)
class ArchitectureTest {

  private static final String SERVER = "dev.postrider.server..";
  private static final String REMINDERS = "dev.postrider.reminder..";
  private static final String CHANNELS = "dev.postrider.channels..";
  private static final String SQLITE = "dev.postrider.sqlite..";
  private static final String POSTGRES = "dev.postrider.postgres..";
  private static final String JDBC = "dev.postrider.jdbc..";
  private static final String TESTKIT = "dev.postrider.testkit..";

  private static final String INTERNAL = "dev.postrider.internal..";

  private static final String[] OTHER_MODULES = {
    SERVER, REMINDERS, CHANNELS, SQLITE, POSTGRES, JDBC, TESTKIT
  };

  private static final DescribedPredicate<JavaClass> CORE =
      resideInAPackage("dev.postrider..").and(not(resideInAnyPackage(OTHER_MODULES))).as("core");

  private static final DescribedPredicate<JavaClass> OURS_BUT_NOT_CORE =
      resideInAnyPackage(OTHER_MODULES).as("the modules around core");

  @ArchTest
  static void core_uses_no_module_around_it(JavaClasses code) {
    noClasses().that(CORE).should().dependOnClassesThat(OURS_BUT_NOT_CORE).check(code);
  }

  /** Of SQL it knows the name of a caller's connection, which it hands on unopened. */
  @ArchTest
  static void core_knows_no_sql_and_no_http(JavaClasses code) {
    noClasses()
        .that(CORE)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.sql..", "javax.sql..", "java.net.http..", "com.sun.net..")
                .and(not(type(Connection.class))))
        .check(code);
  }

  @ArchTest
  static void core_knows_no_framework(JavaClasses code) {
    classes()
        .that(CORE)
        .should()
        .onlyDependOnClassesThat(
            CORE.or(
                resideInAnyPackage("java..", "javax.crypto..", "org.slf4j..", "org.jspecify..")))
        .check(code);
  }

  /** The build of {@code core} has the same list in its {@code module-info}: the next test. */
  @ArchTest
  static void only_reminders_use_what_is_internal_in_core(JavaClasses code) {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.postrider", INTERNAL, REMINDERS)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(INTERNAL)
        .check(code);
  }

  @ArchTest
  static void core_exports_all_its_packages_but_the_internal_ones(JavaClasses code)
      throws IOException {
    Set<String> packages = new TreeSet<>();
    code.stream()
        .filter(CORE)
        .map(JavaClass::getPackageName)
        .filter(name -> !name.startsWith("dev.postrider.internal"))
        .forEach(packages::add);
    String type = Postrider.class.getName().replace('.', '/') + ".class";
    String core = Postrider.class.getResource("/" + type).toString(); // a folder, or a jar
    URI descriptor = URI.create(core.replace(type, "module-info.class"));
    try (InputStream in = descriptor.toURL().openStream()) {
      assertThat(
              ModuleDescriptor.read(in).exports().stream()
                  .filter(export -> !export.isQualified())
                  .map(ModuleDescriptor.Exports::source))
          .containsExactlyInAnyOrderElementsOf(packages);
    }
  }

  @ArchTest
  static void the_server_uses_nothing_internal_of_reminders(JavaClasses code) {
    noClasses()
        .that()
        .resideOutsideOfPackage(REMINDERS)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.postrider.reminder.internal..")
        .check(code);
  }

  /** But for the one method that takes an internal type, which nobody outside can name. */
  @ArchTest
  static void the_api_shows_nothing_internal(JavaClasses code) {
    codeUnits()
        .that()
        .areDeclaredInClassesThat(PUBLISHED)
        .and()
        .arePublic()
        .and()
        .doNotHaveFullName("dev.postrider.Postrider.store(" + StoreAccess.class.getName() + ")")
        .should(SHOW_NOTHING_INTERNAL)
        .check(code);
  }

  @ArchTest
  static void no_package_is_split_between_jars(JavaClasses code) {
    Map<String, Set<String>> places = new TreeMap<>();
    for (JavaClass type : code) {
      String place = type.getSource().orElseThrow().getUri().toString();
      String root = place.substring(0, place.indexOf("dev/postrider/"));
      places.computeIfAbsent(type.getPackageName(), _ -> new TreeSet<>()).add(root);
    }
    assertThat(places).allSatisfy((name, roots) -> assertThat(roots).as(name).hasSize(1));
  }

  @ArchTest
  static void a_store_uses_core_and_no_other_module(JavaClasses code) {
    usesCoreAndItself(JDBC, code);
    usesCoreAndItself(SQLITE, code, JDBC);
    usesCoreAndItself(POSTGRES, code, JDBC);
  }

  @ArchTest
  static void a_channel_uses_core_and_no_other_module(JavaClasses code) {
    usesCoreAndItself(CHANNELS, code);
  }

  @ArchTest
  static void reminders_use_core_and_no_other_module(JavaClasses code) {
    usesCoreAndItself(REMINDERS, code);
  }

  @ArchTest
  static void only_the_server_knows_reminders(JavaClasses code) {
    noClasses()
        .that()
        .resideOutsideOfPackages(REMINDERS, SERVER)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(REMINDERS)
        .check(code);
  }

  @ArchTest
  static void the_testkit_uses_core_and_no_other_module(JavaClasses code) {
    usesCoreAndItself(TESTKIT, code);
  }

  @ArchTest
  static void nothing_shipped_knows_the_testkit(JavaClasses code) {
    noClasses()
        .that()
        .resideOutsideOfPackage(TESTKIT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(TESTKIT)
        .check(code);
  }

  @ArchTest
  static void packages_form_no_cycle(JavaClasses code) {
    slices().assignedFrom(EACH_PACKAGE).should().beFreeOfCycles().check(code);
  }

  /** Maven keeps modules apart, and the map keeps packages apart. */
  @ArchTest
  static void a_package_uses_only_what_the_map_in_ARCHITECTURE_says(JavaClasses code) {
    classes().should(USE_WHAT_THE_MAP_SAYS).check(code);
  }

  @ArchTest
  static void packages_are_named_after_a_concern(JavaClasses code) {
    noClasses()
        .should()
        .resideInAnyPackage(
            "..util..",
            "..utils..",
            "..common..",
            "..helper..",
            "..helpers..",
            "..impl..",
            "..manager..",
            "..managers..")
        .check(code);
  }

  @ArchTest
  static void every_package_says_what_it_is_for_and_is_null_marked(JavaClasses code) {
    classes().should(LIVE_IN_A_NULL_MARKED_PACKAGE).check(code);
  }

  /** A module may be empty still. */
  private static void usesCoreAndItself(String module, JavaClasses code, String... beside) {
    noClasses()
        .that()
        .resideInAPackage(module)
        .should()
        .dependOnClassesThat(
            OURS_BUT_NOT_CORE
                .and(not(resideInAPackage(module)))
                .and(not(resideInAnyPackage(beside)))
                .as("a module that is not core"))
        .allowEmptyShould(true)
        .check(code);
  }

  private static final DescribedPredicate<JavaClass> PUBLISHED =
      CORE.or(resideInAPackage(REMINDERS))
          .and(not(resideInAPackage("..internal..")))
          .and(
              DescribedPredicate.describe(
                  "public", type -> type.getModifiers().contains(JavaModifier.PUBLIC)))
          .as("the API of core and reminders");

  private static final ArchCondition<JavaCodeUnit> SHOW_NOTHING_INTERNAL =
      new ArchCondition<>("show nothing internal in its signature") {
        @Override
        public void check(JavaCodeUnit unit, ConditionEvents events) {
          Stream.concat(
                  unit.getReturnType().getAllInvolvedRawTypes().stream(),
                  unit.getParameterTypes().stream()
                      .flatMap(type -> type.getAllInvolvedRawTypes().stream()))
              .filter(type -> type.getPackageName().contains(".internal"))
              .forEach(
                  type ->
                      events.add(
                          SimpleConditionEvent.violated(
                              unit, unit.getFullName() + " shows " + type.getName())));
        }
      };

  private static final SliceAssignment EACH_PACKAGE =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
          return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
          return "each package";
        }
      };

  private static final ArchCondition<JavaClass> USE_WHAT_THE_MAP_SAYS =
      new ArchCondition<>(
          "use only packages that the map in ARCHITECTURE.md says (PackageMapTest)") {
        private final Map<String, Set<String>> stated = PackageMap.stated();

        @Override
        public void check(JavaClass type, ConditionEvents events) {
          Set<String> allowed = stated.getOrDefault(type.getPackageName(), Set.of());
          for (String used : PackageMap.uses(type)) {
            if (!allowed.contains(used)) {
              events.add(
                  SimpleConditionEvent.violated(
                      type, "%s uses %s".formatted(type.getFullName(), used)));
            }
          }
        }
      };

  private static final ArchCondition<JavaClass> LIVE_IN_A_NULL_MARKED_PACKAGE =
      new ArchCondition<>("live in a package whose package-info is @NullMarked") {
        @Override
        public void check(JavaClass type, ConditionEvents events) {
          boolean marked =
              type.getPackage()
                  .tryGetPackageInfo()
                  .map(info -> info.isAnnotatedWith(NullMarked.class))
                  .orElse(false);
          if (!marked) {
            events.add(
                SimpleConditionEvent.violated(
                    type,
                    "%s has no package-info.java with @NullMarked (seen from %s)"
                        .formatted(type.getPackageName(), type.getSimpleName())));
          }
        }
      };
}
