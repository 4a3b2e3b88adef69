/**
 * Synology Chat on a NAS, through an incoming webhook or as a bot. {@link
 * dev.postrider.channels.synology.SynologyLink} posts, {@link
 * dev.postrider.channels.synology.SynologyUsers} knows people by their names, {@link
 * dev.postrider.channels.synology.SynologyVerdict} reads the answers, {@link
 * dev.postrider.channels.synology.SynologyHook} what Chat tells by itself.
 */
@NullMarked
package dev.postrider.channels.synology;

import org.jspecify.annotations.NullMarked;
