package dev.postrider.channels.peers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What somebody else wrote that a test holds channels to. The table of docs/channels.md tells it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface VerifiedAgainst {
  /** Its name and version. */
  String value();

  /** The names of the channels. */
  String[] channels();
}
