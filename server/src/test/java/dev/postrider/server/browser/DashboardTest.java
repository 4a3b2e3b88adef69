package dev.postrider.server.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard as a person uses it; the tests stand in {@code src/test/browser}. {@code
 * -Dpostrider.browser=words} runs those whose names have these words, {@code
 * -Dpostrider.browser.scripts=} other scripts.
 */
class DashboardTest {
  private static Browser browser;

  @BeforeAll
  static void start(@TempDir Path stores) throws Exception {
    boolean skipped = "skip".equals(System.getProperty("postrider.peers"));
    assumeTrue(!skipped || System.getenv("CI") != null, "-Dpostrider.peers=skip");
    browser = Browser.start(stores, System.getProperty("postrider.browser.scripts", ".test.mjs"));
  }

  @AfterAll
  static void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> the_dashboard_in_a_browser() {
    String words = System.getProperty("postrider.browser", "");
    return browser.tests().stream()
        .filter(test -> test.contains(words))
        .map(test -> dynamicTest(test, () -> browser.run(test)));
  }
}
