/**
 * Programs that hold the connection to a platform for us and speak Postrider's own protocol of JSON
 * lines (docs/sidecar-protocol.md): for platforms that only libraries in other languages know. May
 * touch: core's channel seam, channels.http, channels.process, channels.verdict.
 */
@NullMarked
package dev.postrider.channels.sidecar;

import org.jspecify.annotations.NullMarked;
