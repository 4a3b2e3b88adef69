package dev.postrider.config;

import org.jspecify.annotations.Nullable;

/**
 * What an account changes about its channel's limits; null keeps the channel's own.
 *
 * @param textLimit longest text of one part, in the channel's own unit
 * @param mode where a new part begins before the limit asks for it
 * @param mediaLimit most bytes of one file
 */
public record ContentSettings(
    @Nullable Integer textLimit, @Nullable Split mode, @Nullable Long mediaLimit) {
  public static final ContentSettings CHANNEL_DEFAULT = new ContentSettings(null, null, null);

  public ContentSettings {
    if (textLimit != null && textLimit < 1) {
      throw new IllegalArgumentException("text.limit must be at least 1");
    }
    if (mediaLimit != null && mediaLimit < 1) {
      throw new IllegalArgumentException("media.maxSize must be above zero");
    }
  }
}
