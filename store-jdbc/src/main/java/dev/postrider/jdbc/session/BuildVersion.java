package dev.postrider.jdbc.session;

import org.jspecify.annotations.Nullable;

/** Which version of Postrider writes here. */
public final class BuildVersion {
  /** The version of the jar; {@code dev} if it was not packaged. */
  public static final String NAME = name();

  private BuildVersion() {}

  private static String name() {
    @Nullable String built = BuildVersion.class.getPackage().getImplementationVersion();
    return built == null ? "dev" : built;
  }
}
