/**
 * A platform inside the process, to try Postrider without an account anywhere: it delivers into an
 * inbox ({@link dev.postrider.channels.sandbox.SandboxChannel#inbox}), has limits and latency of
 * its own, and fails on demand. People can write in it ({@link
 * dev.postrider.channels.sandbox.SandboxChannel#webhook}). It forgets everything when the process
 * ends.
 *
 * <p>By chat:
 *
 * <ul>
 *   <li>{@code blocked}: refused for good, the chat is to blame
 *   <li>{@code moved}: has moved to {@code moved-here}; the message is sent there
 * </ul>
 *
 * <p>By a word in the text; "once" means the first try of a part:
 *
 * <ul>
 *   <li>{@code #fail}: refused for good, the message is to blame
 *   <li>{@code #flaky}: not sent once, then delivered
 *   <li>{@code #unknown}: delivered, but once without a verdict
 *   <li>{@code #throttle}: the chat has to wait 3 s once
 *   <li>{@code #broken}: once, the account is refused until it is probed
 *   <li>{@code #slow}: takes 2 s
 *   <li>{@code #markup}: text in native format is refused; its plain form passes
 * </ul>
 *
 * <p>By chance, with the setting {@code faults}: {@code {notSent: 0.05, unknown: 0.02}}.
 */
@NullMarked
package dev.postrider.channels.sandbox;

import org.jspecify.annotations.NullMarked;
