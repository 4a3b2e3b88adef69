/**
 * Sends spans to a collector, in the language of OpenTelemetry (OTLP over HTTP). May touch: core's
 * spans, channels' HTTP, config, log.
 */
@NullMarked
package dev.postrider.server.tracing;

import org.jspecify.annotations.NullMarked;
