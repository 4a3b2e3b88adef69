package dev.postrider.channel;

/** What came of an upload. It shows nothing to anybody, so it may always be made again. */
public sealed interface Uploaded {
  /** The platform has the bytes. */
  record Done(Handle handle) implements Uploaded {}

  /** It does not; what that means for the part that needs them. */
  record Failed(Outcome outcome) implements Uploaded {}
}
