package dev.postrider.server.cli.doctor;

/**
 * What was looked at and how it is.
 *
 * @param well whether nobody needs to do anything
 * @param remedy what to do; empty if it is well
 */
record Finding(String area, boolean well, String sentence, String remedy) {
  Finding {
    if (well != remedy.isBlank()) {
      throw new IllegalArgumentException("what is not well, and only that, needs a remedy");
    }
  }

  static Finding well(String area, String sentence) {
    return new Finding(area, true, sentence, "");
  }

  static Finding bad(String area, String sentence, String remedy) {
    return new Finding(area, false, sentence, remedy);
  }
}
