package dev.postrider.channels.http;

import dev.postrider.channel.InboundFiles.Opened;

/** What a request for a file was answered with. */
public sealed interface FileAnswer {

  /**
   * The file, as it arrives.
   *
   * @param type what the platform says it is; empty if nothing
   */
  record Found(Opened file, String type) implements FileAnswer {}

  /** Something else. */
  record Other(HttpResult.Response response) implements FileAnswer {}
}
