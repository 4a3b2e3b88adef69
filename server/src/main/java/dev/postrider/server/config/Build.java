package dev.postrider.server.config;

import org.jspecify.annotations.Nullable;

/** Which build this is, and the Java it runs on. */
public final class Build {
  private Build() {}

  /** The version of the build; {@code dev} if it is none that was packaged. */
  public static String version() {
    @Nullable String built = Build.class.getPackage().getImplementationVersion();
    return built == null ? "dev" : built;
  }

  public static String java() {
    return Runtime.version().toString();
  }
}
