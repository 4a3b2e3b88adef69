package dev.postrider.server.config;

import dev.postrider.server.tls.BadTlsFile;
import dev.postrider.server.tls.Identity;
import dev.postrider.server.tls.TlsSettings;
import dev.postrider.server.tls.Trust;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with the files that settings of TLS name, before anything is started. */
final class TlsFiles {
  private TlsFiles() {}

  static @Nullable TlsSettings tls(
      Draft.Http draft, Node.Mapping tree, List<Problem> problems, List<String> warnings) {
    @Nullable Path certificate = draft.certificate;
    @Nullable Path key = draft.key;
    if (certificate == null || key == null) {
      if (certificate != null) {
        problems.add(problem(tree, "certificate", "needs a key beside it: http.tls.key"));
      } else if (key != null) {
        problems.add(problem(tree, "key", "needs a certificate beside it: http.tls.certificate"));
      }
      return null;
    }
    TlsSettings settings = new TlsSettings(certificate, key);
    try {
      Identity.read(settings);
    } catch (BadTlsFile e) {
      problems.add(problem(tree, e.isKey() ? "key" : "certificate", e.getMessage()));
    }
    if (Identity.isOpenToOthers(key)) {
      warnings.add(
          "http.tls.key: everybody on this machine can read %s; chmod o-r it.".formatted(key));
    }
    return settings;
  }

  private static Problem problem(Node.Mapping tree, String key, String sentence) {
    return new Problem(ConfigLoader.place(tree, "http", "tls", key), "http.tls." + key, sentence);
  }

  /** The file with whose certificates the other servers are known, if it can be used. */
  static @Nullable Path ca(@Nullable Path file, Node.Mapping tree, List<Problem> problems) {
    if (file != null) {
      try {
        Trust.only(file);
      } catch (BadTlsFile e) {
        problems.add(
            new Problem(ConfigLoader.place(tree, "cluster", "ca"), "cluster.ca", e.getMessage()));
      }
    }
    return file;
  }
}
