package dev.postrider.channel;

/** The result of an upload. It shows nothing to anybody, so it may always be made again. */
public sealed interface UploadResult {
  /** The platform has the bytes. */
  record Done(FileHandle handle) implements UploadResult {}

  /** It does not; what that means for the part that needs them. */
  record Failed(Outcome outcome) implements UploadResult {}
}
