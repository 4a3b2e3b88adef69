package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;

/**
 * The map of packages in ARCHITECTURE.md is what the code says. After a change, write it anew, for
 * the diff to be read: {@code ./check test -pl server -am -Dtest=PackageMapTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dpostrider.packages=write}
 */
@AnalyzeClasses(packages = "dev.postrider", importOptions = PackageMapTest.WithoutTests.class)
class PackageMapTest {

  @ArchTest
  static void the_map_of_packages_is_what_the_code_says(JavaClasses code) throws IOException {
    String rendered = PackageMap.rendered(code);
    if ("write".equals(System.getProperty("postrider.packages"))) {
      Files.writeString(PackageMap.PAGE, rendered);
    }

    assertThat(PackageMap.stated()).as("packages on the map").hasSizeGreaterThan(40);
    assertThat(Documents.read(PackageMap.PAGE))
        .as("see the comment of this test")
        .isEqualTo(rendered);
  }

  /** Whatever the folder of compiled tests is called. */
  static final class WithoutTests implements ImportOption {
    private static final Pattern TESTS = Pattern.compile(".*/target/([^/]+/)?test(-classes)?/.*");

    @Override
    public boolean includes(Location location) {
      return !location.matches(TESTS);
    }
  }
}
