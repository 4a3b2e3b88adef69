package dev.postrider.channel;

/**
 * Two names of one chat, as a platform tells them: from now on they are one lane and one session.
 *
 * @param former a name that goes on being used for it
 * @param chat the name that it is called by here
 */
public record Alias(String former, String chat) {}
